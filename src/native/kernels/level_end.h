/* Ends a level: what its level.h defined, and the width of vectors.h, which is 16 between two levels. */
#undef WE_LEVEL
#undef WE_LEVEL_BELOW
#undef WE_LEVEL_TARGET
#undef WE_LEVEL_APART
#undef WE_WIDTH
#define WE_WIDTH 16
