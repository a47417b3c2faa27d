/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MIG for a stand-in of NVML that knows none, used by `detected`: the devices come from the file
 * that PLUMB_MIG names, one a line in NVML's order,
 *
 *   MINOR|GPU INSTANCE|COMPUTE INSTANCE|NAME|SLICES|SLICES OF THE COMPUTE INSTANCE|MIB
 *
 * where MINOR is that of the GPU. A GPU with a line whose NAME is empty is in MIG mode and has no
 * device. The stand-in's own functions of these names are called plain_<name>.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEVICES = 256, OK = 0, INVALID = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6 };

struct device {
    unsigned gpu, instance, part, slices, part_slices;
    unsigned long long mib;
    char name[64];
};

/* nvmlDeviceAttributes_t */
struct attributes {
    unsigned multiprocessors, copy, decoders, encoders, jpeg, ofa, slices, part_slices;
    unsigned long long mib;
};

int plain_nvmlDeviceGetName(void *, char *, unsigned);
int plain_nvmlDeviceGetUUID(void *, char *, unsigned);
int nvmlDeviceGetMinorNumber(void *, unsigned *);
int nvmlDeviceGetMigMode(void *, unsigned *, unsigned *);
int nvmlDeviceGetMaxMigDeviceCount(void *, unsigned *);
int nvmlDeviceGetMigDeviceHandleByIndex(void *, unsigned, void **);
int nvmlDeviceGetName(void *, char *, unsigned);
int nvmlDeviceGetUUID(void *, char *, unsigned);
int nvmlDeviceGetGpuInstanceId(void *, unsigned *);
int nvmlDeviceGetComputeInstanceId(void *, unsigned *);
int nvmlDeviceGetAttributes_v2(void *, struct attributes *);

static struct device devices[MAX_DEVICES];
static unsigned count;

static void load(void)
{
    const char *path = getenv("PLUMB_MIG");
    FILE *f = path != NULL && count == 0 ? fopen(path, "r") : NULL;
    char line[256];

    while (f != NULL && count < MAX_DEVICES && fgets(line, sizeof line, f) != NULL) {
        struct device *d = &devices[count];

        memset(d, 0, sizeof *d);
        if (sscanf(line, "%u|%u|%u|%63[^|]|%u|%u|%llu", &d->gpu, &d->instance, &d->part, d->name,
                   &d->slices, &d->part_slices, &d->mib) == 7 ||
            sscanf(line, "%u|||", &d->gpu) == 1)
            count++;
    }
    if (f != NULL)
        fclose(f);
}

/* NULL: a GPU of the stand-in. */
static const struct device *device_of(const void *handle)
{
    const struct device *d = handle;

    return d >= devices && d < devices + MAX_DEVICES ? d : NULL;
}

static unsigned on_gpu(void *gpu, unsigned index, void **out)
{
    unsigned minor = 0, found = 0, lines = 0;

    load();
    nvmlDeviceGetMinorNumber(gpu, &minor);
    for (unsigned i = 0; i < count; i++) {
        if (devices[i].gpu != minor)
            continue;
        lines++;
        if (devices[i].name[0] != '\0' && found++ == index && out != NULL)
            *out = &devices[i];
    }
    return out == NULL ? lines : found > index;
}

int nvmlDeviceGetMigMode(void *gpu, unsigned *now, unsigned *then)
{
    *now = *then = on_gpu(gpu, 0, NULL) > 0;
    return OK;
}

int nvmlDeviceGetMaxMigDeviceCount(void *gpu, unsigned *out)
{
    (void)gpu;
    *out = 7;
    return OK;
}

int nvmlDeviceGetMigDeviceHandleByIndex(void *gpu, unsigned index, void **out)
{
    return on_gpu(gpu, index, out) ? OK : NOT_FOUND;
}

int nvmlDeviceGetName(void *handle, char *text, unsigned size)
{
    const struct device *d = device_of(handle);

    if (d == NULL)
        return plain_nvmlDeviceGetName(handle, text, size);
    snprintf(text, size, "NVIDIA GPU MIG %s", d->name);
    return OK;
}

int nvmlDeviceGetUUID(void *handle, char *text, unsigned size)
{
    const struct device *d = device_of(handle);

    if (d == NULL)
        return plain_nvmlDeviceGetUUID(handle, text, size);
    snprintf(text, size, "MIG-00000000-0000-0000-0000-%012d", (int)(d - devices));
    return OK;
}

int nvmlDeviceGetGpuInstanceId(void *handle, unsigned *id)
{
    const struct device *d = device_of(handle);

    *id = d != NULL ? d->instance : 0;
    return d != NULL ? OK : NOT_SUPPORTED;
}

int nvmlDeviceGetComputeInstanceId(void *handle, unsigned *id)
{
    const struct device *d = device_of(handle);

    *id = d != NULL ? d->part : 0;
    return d != NULL ? OK : NOT_SUPPORTED;
}

int nvmlDeviceGetAttributes_v2(void *handle, struct attributes *out)
{
    const struct device *d = device_of(handle);

    if (d == NULL)
        return INVALID;
    memset(out, 0, sizeof *out);
    out->slices = d->slices;
    out->part_slices = d->part_slices;
    out->mib = d->mib;
    return OK;
}
