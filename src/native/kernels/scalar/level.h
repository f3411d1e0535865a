/* The level without vectors: the loops that define each run. */
#include "scalar/ascii.h"
#include "scalar/count.h"
#include "scalar/double_byte.h"
#include "scalar/iso_2022_jp.h"
#include "scalar/single_byte.h"
#include "scalar/utf_16.h"
#include "scalar/utf_8.h"

#define WE_LEVEL scalar
#define WE_LEVEL_TARGET
#define WE_LOOP_VECTORS 0
#include "runs/loops.h"
#include "runs/utf_8.h"
#include "runs/utf_16.h"
#include "runs/double_byte.h"
#include "runs/iso_2022_jp.h"
#undef WE_LOOP_VECTORS
#include "level_end.h"
