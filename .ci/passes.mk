# The targets of the Makefile, and further passes of its tests for .ci/run: each needs WHEEL.
include Makefile

.PHONY: test-closed test-user test-newest
test-closed:  # every behaviour, in a closed folder whose path has a space and a letter beyond ASCII, without an environment
	@.ci/pass closed "$(WHEEL)"

test-user:  # a part, as an ordinary user with umask 077, LANG=C and a proxy that is closed
	@.ci/pass user "$(WHEEL)"

test-newest:  # what depends on Python, compiled for the newest Python of this machine
	@.ci/pass newest
