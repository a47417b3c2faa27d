/* SPDX-License-Identifier: Apache-2.0 */
/* Controllers, authentication, login nodes, slurmdbd: keys that are more than one parameter. */
#include <string.h>

#include "passes/resolve.h"

static struct plumb_text text_of(struct plumb_resolve *rs, const struct plumb_spec_value *v)
{
    if (v == NULL)
        return (struct plumb_text){0};
    if (!plumb_usable(*v))
        return (struct plumb_text){.at = v->at, .origin = PLUMB_BAD};
    return (struct plumb_text){
        .v = plumb_intern_text(rs->s->intern, v->text.text, v->text.len),
        .at = v->at,
        .origin = PLUMB_GIVEN,
    };
}

static struct plumb_host host_of(struct plumb_resolve *rs, const struct plumb_spec_value *v)
{
    return (struct plumb_host){
        .name = text_of(rs, plumb_spec_get(v, "name")),
        .address = text_of(rs, plumb_spec_get(v, "address")),
    };
}

static void add_controller(struct plumb_resolve *rs, const struct plumb_spec_value *v)
{
    struct plumb_host *host = &rs->m->controllers[rs->m->controller_count];
    const char *text = NULL;

    *host = host_of(rs, v);
    if (!plumb_usable(host->name) || host->address.origin == PLUMB_BAD || !plumb_usable(*v)) {
        plumb_setting_add_text(rs->a, &rs->m->settings[PLUMB_SLURM_CONF],
                               PLUMB_P_SLURM_SLURMCTLDHOST, "", v->at, PLUMB_BAD);
        return;
    }
    rs->m->controller_count++;
    text = host->address.origin == PLUMB_ABSENT
               ? host->name.v
               : plumb_arena_printf(rs->a, "%s(%s)", host->name.v, host->address.v);
    plumb_setting_add_text(rs->a, &rs->m->settings[PLUMB_SLURM_CONF], PLUMB_P_SLURM_SLURMCTLDHOST,
                           text, v->at, PLUMB_GIVEN);
}

/* AuthType and CredType go together, and slurmdbd must speak the same (slurmdbd.conf(5)). */
static void set_auth(struct plumb_resolve *rs, const struct plumb_spec_value *control)
{
    const struct plumb_spec_value *v = plumb_spec_get(control, "auth");
    enum plumb_origin origin = v == NULL ? PLUMB_DEFAULTED : v->origin;
    struct plumb_span at = v != NULL         ? v->at
                           : control != NULL ? control->key_at
                                             : rs->spec->root.key_at;
    const char *word = v != NULL && plumb_usable(*v) ? v->word->slurm : "munge";
    static const struct {
        enum plumb_param_id id;
        const char *kind;
    } rows[] = {
        {PLUMB_P_SLURM_AUTHTYPE, "auth"},
        {PLUMB_P_SLURM_CREDTYPE, "cred"},
        {PLUMB_P_DBD_AUTHTYPE, "auth"},
    };

    if (origin == PLUMB_GIVEN && !plumb_resolve_word(rs, plumb_param(PLUMB_P_SLURM_AUTHTYPE), v,
                                                     plumb_arena_printf(rs->a, "auth/%s", word)))
        origin = PLUMB_BAD;
    for (size_t i = 0; i < PLUMB_COUNT(rows); i++)
        plumb_setting_add_text(rs->a, &rs->m->settings[plumb_param(rows[i].id)->file], rows[i].id,
                               plumb_arena_printf(rs->a, "%s/%s", rows[i].kind, word), at, origin);
}

void plumb_resolve_control(struct plumb_resolve *rs)
{
    const struct plumb_spec_value *control = plumb_spec_get(&rs->spec->root, "control");
    const struct plumb_spec_value *hosts = plumb_spec_get(control, "hosts");
    const struct plumb_spec_value *shared = plumb_spec_path(control, "state_dir/shared");
    const struct plumb_spec_value *login = plumb_spec_path(&rs->spec->root, "login/hosts");
    size_t count = hosts != NULL && hosts->shape == PLUMB_SHAPE_LIST ? hosts->count : 0;

    if (hosts == NULL || hosts->origin == PLUMB_BAD || rs->spec->partial) /* it was reported */
        plumb_setting_add_text(rs->a, &rs->m->settings[PLUMB_SLURM_CONF],
                               PLUMB_P_SLURM_SLURMCTLDHOST, "", rs->spec->root.key_at, PLUMB_BAD);
    rs->m->controllers = PLUMB_NEW_ARRAY(rs->a, count, struct plumb_host);
    for (size_t i = 0; i < count; i++)
        add_controller(rs, &hosts->items[i]);
    if (shared != NULL)
        rs->m->state_dir_shared = (struct plumb_bool){
            .v = shared->number != 0, .at = shared->at, .origin = shared->origin};
    if (login != NULL && plumb_usable(*login))
        rs->m->login_hosts = plumb_resolve_hosts(rs, login);
    set_auth(rs, control);
}

static void set_text(struct plumb_resolve *rs, enum plumb_param_id id, const struct plumb_text *t,
                     const struct plumb_spec_value *v)
{
    struct plumb_settings *to = &rs->m->settings[plumb_param(id)->file];

    if (t->origin != PLUMB_ABSENT)
        plumb_setting_add(rs->a, to, id,
                          plumb_made_slice(t->origin == PLUMB_BAD ? "" : t->v, t->at), v->key_at,
                          t->origin);
}

/*
 * DbdHost must be the host's own name: slurmdbd ends when it matches neither host name
 * (slurmdbd/slurmdbd.c). Everyone else reaches it by its address where one is given.
 */
static void set_dbd_host(struct plumb_resolve *rs, const struct plumb_spec_value *v, bool backup)
{
    struct plumb_host host = host_of(rs, v);
    const struct plumb_text *reach =
        host.address.origin == PLUMB_ABSENT ? &host.name : &host.address;

    if (v->origin == PLUMB_BAD)
        host.name = (struct plumb_text){.at = v->at, .origin = PLUMB_BAD};
    set_text(rs, backup ? PLUMB_P_DBD_DBDBACKUPHOST : PLUMB_P_DBD_DBDHOST, &host.name, v);
    if (!backup)
        set_text(rs, PLUMB_P_DBD_DBDADDR, &host.address, v);
    set_text(rs,
             backup ? PLUMB_P_SLURM_ACCOUNTINGSTORAGEBACKUPHOST
                    : PLUMB_P_SLURM_ACCOUNTINGSTORAGEHOST,
             reach, v);
}

static void say_password(struct plumb_resolve *rs, const struct plumb_spec_value *storage)
{
    const struct plumb_spec_value *password = plumb_resolve_get(storage, "password");
    const struct plumb_spec_value *secret = plumb_resolve_get(password, "secret");
    const struct plumb_spec_value *key = plumb_resolve_get(password, "key");
    struct plumb_diag *d = NULL;

    if (secret == NULL || plumb_spec_get(storage, "password_script") != NULL)
        return;
    d = plumb_diag_new(&rs->s->sink, plumb_spec_rule(PLUMB_SPEC_SECRET_APART), password->at,
                       "slurmdbd.conf is written without StoragePass, expected to be added from "
                       "secret '%s'%s%s%s where it is deployed",
                       secret->text.text, key != NULL ? ", key '" : "",
                       key != NULL ? key->text.text : "", key != NULL ? "'" : "");
    plumb_diag_fact(d, "without that line slurmdbd connects without a password");
    if (plumb_param_used(plumb_param(PLUMB_P_DBD_STORAGEPASSSCRIPT), rs->m->release))
        plumb_diag_fact(d, "password_script names a program that prints it instead");
}

void plumb_resolve_database(struct plumb_resolve *rs)
{
    const struct plumb_spec_value *database = plumb_spec_get(&rs->spec->root, "database");
    const struct plumb_spec_value *host = plumb_spec_get(database, "host");
    const struct plumb_spec_value *backup = plumb_spec_get(database, "backup");

    if (database == NULL) {
        /* control.user and control.auth are said for slurmdbd too, which is not there. */
        rs->m->settings[PLUMB_SLURMDBD_CONF] = (struct plumb_settings){0};
        return;
    }
    rs->m->present[PLUMB_SLURMDBD_CONF] = true;
    rs->m->file_at[PLUMB_SLURMDBD_CONF] = database->key_at;
    if (host != NULL)
        set_dbd_host(rs, host, false);
    if (backup != NULL)
        set_dbd_host(rs, backup, true);
    say_password(rs, plumb_spec_get(database, "storage"));
}
