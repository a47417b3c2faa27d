/* SPDX-License-Identifier: Apache-2.0 */
/* What went wrong with the machine, as opposed to the input (findings) and to us (PLUMB_ASSERT). */
#ifndef PLUMB_BASE_STATUS_H
#define PLUMB_BASE_STATUS_H

enum plumb_status {
    PLUMB_OK,
    PLUMB_CANNOT_READ,
    PLUMB_CANNOT_WRITE,
    PLUMB_TOO_LARGE,
    PLUMB_NOT_A_FILE,
    PLUMB_OUT_OF_MEMORY,
    PLUMB_NOT_OURS, /* a file is in the way that plumb did not write */
    PLUMB_BUSY,     /* another run is writing to the same folder */
};

#endif
