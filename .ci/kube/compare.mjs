// SPDX-License-Identifier: Apache-2.0
// Changes manifests at random and compares plumb's verdict with that of JSON Schema validators built
// from the published CRDs and from the schema of the built-in kinds.
// usage: compare.mjs PLUMB SHARED NODE-FOLDER COUNT SEED; NODE-FOLDER holds node_modules with ajv,
// ajv-formats and yaml. Exit 1 where the verdicts differ.
import fs from 'fs';
import os from 'os';
import path from 'path';
import {createRequire} from 'module';
import {spawnSync} from 'child_process';

const [plumb, shared, folder, countText, seedText] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(folder), 'x.js'));
const YAML = require('yaml'), Ajv = require('ajv').default, addFormats = require('ajv-formats').default;

let seed = Number(seedText) >>> 0;
function random(n) { // a small generator: the same seed gives the same mutants
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor(seed / 4294967296 * n);
}

// ---- validators ----

// A schema of a CRD without what JSON Schema does not know, unknown fields refused.
function strict(s) {
    if (!s || typeof s !== 'object') return s;
    const o = {};
    for (const [k, v] of Object.entries(s)) {
        if (k.startsWith('x-kubernetes-') || k === 'description') continue;
        if (k === 'properties') o.properties = Object.fromEntries(Object.entries(v).map(([n, x]) => [n, strict(x)]));
        else if (k === 'items') o.items = strict(v);
        else if (k === 'additionalProperties' && typeof v === 'object') o[k] = strict(v);
        else o[k] = v;
    }
    if (s['x-kubernetes-int-or-string']) {
        delete o.type;
        o.anyOf ??= [{type: 'integer'}, {type: 'string'}];
    }
    if (s.type === 'object' && s.properties && !s.additionalProperties && !s['x-kubernetes-preserve-unknown-fields'])
        o.additionalProperties = false;
    if (s.nullable && o.type) o.type = [].concat(o.type, 'null');
    delete o.nullable;
    if (['int32', 'int64', 'double'].includes(o.format)) delete o.format;
    return o;
}

// The API server takes away nulls and fills in defaults before it validates what a client creates.
const ajv = new Ajv({strict: false, useDefaults: true});
addFormats(ajv);
const validators = {};
for (const crds of ['slinky/crds-v1.2.1', 'soperator/crds-4.1.7']) {
    const dir = path.join(shared, 'facts', crds);
    for (const f of fs.readdirSync(dir).sort()) {
        const crd = YAML.parse(fs.readFileSync(path.join(dir, f), 'utf8'));
        for (const v of crd.spec.versions) {
            const s = strict(v.schema.openAPIV3Schema);
            s.properties.metadata = {type: 'object'};
            const whole = v.schema.openAPIV3Schema, validate = ajv.compile(s);
            validators[`${crd.spec.group}/${v.name}/${crd.spec.names.kind}`] =
                {validate, check: o => { prune(whole, o); return validate(o); }, builtIn: false};
        }
    }
}
const schema = JSON.parse(fs.readFileSync(path.join(shared, 'facts/k8s/k8s-v1.36-schema-subset.json')));
const ajvBuiltIn = new Ajv({strict: false});
addFormats(ajvBuiltIn);
ajvBuiltIn.addFormat('byte', /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
for (const f of ['int32', 'int64', 'double']) ajvBuiltIn.addFormat(f, {type: 'number', validate: () => true});
ajvBuiltIn.addFormat('date-time', true);
ajvBuiltIn.addSchema({$id: 'k8s', definitions: schema.definitions});
for (const [kind, name] of Object.entries(schema.kinds))
    {
    const validate = ajvBuiltIn.getSchema('k8s#/definitions/' + name);
    validators[kind] = {validate, check: validate, builtIn: true};
}

// A null that a field cannot hold counts as if the field were not there; in lists it stays.
function prune(s, o) {
    if (!s || !o || typeof o !== 'object') return;
    if (Array.isArray(o)) o.forEach(x => prune(s.items, x));
    else for (const k of Object.keys(o)) {
        const f = s.properties?.[k] ?? (typeof s.additionalProperties === 'object' ? s.additionalProperties : undefined);
        if (o[k] === null && f && !f.nullable) delete o[k];
        else prune(f, o[k]);
    }
}

// ---- bases ----

const bases = [];
function collect(dir) {
    for (const name of fs.readdirSync(dir).sort()) {
        const full = path.join(dir, name);
        if (fs.statSync(full).isDirectory()) collect(full);
        else if (name.endsWith('.yaml') && fs.statSync(full).size < 100000)
            for (const d of YAML.parseAllDocuments(fs.readFileSync(full, 'utf8'))) {
                const o = d.toJS();
                if (o && validators[`${o.apiVersion}/${o.kind}`]) bases.push(o);
            }
    }
}
collect(path.join(shared, 'corpus/kube-cases'));
collect(path.join(shared, 'facts/k8s/validate'));

// ---- mutants ----

const values = ['text', '8', 8, -1, 0.5, true, {}, [], {a: 'b'}, ['a'], [1], null, '10Gi', '10GB', '1.5', '25%', 'DaemonSet', 'Never', '1h'];
function places(o, out = []) {
    for (const key of Object.keys(o)) {
        out.push([o, key]);
        if (o[key] && typeof o[key] === 'object') places(o[key], out);
    }
    return out;
}
function hasNull(v) { return v === null || (typeof v === 'object' && Object.values(v).some(hasNull)); }
function mutate(base) {
    const o = structuredClone(base), all = [];
    for (const key of Object.keys(o))
        if (!['apiVersion', 'kind', 'metadata', 'status'].includes(key)) {
            all.push([o, key]);
            if (o[key] && typeof o[key] === 'object') places(o[key], all);
        }
    for (let n = random(2); n >= 0 && all.length > 0; n--) {
        const [at, key] = all[random(all.length)];
        const how = random(4);
        if (how === 0) delete at[key];
        else if (how === 1) at[key] = structuredClone(values[random(values.length)]);
        else if (how === 2 && !Array.isArray(at)) { at[key + 'x'] = at[key]; delete at[key]; }
        else if (at[key] && typeof at[key] === 'object' && !Array.isArray(at[key])) at[key].other = values[random(values.length)];
        else at[key] = structuredClone(values[random(values.length)]);
        if (Array.isArray(at)) for (let i = 0; i < at.length; i++) if (!(i in at)) at.splice(i, 1);
    }
    o.metadata = {name: 'a' + mutate.count++};
    return JSON.parse(JSON.stringify(o));
}
mutate.count = 0;

const mutants = [], lines = [];
let text = '{"apiVersion": "v1", "kind": "List", "items": [\n', line = 2;
while (mutants.length < Number(countText)) {
    const o = mutate(bases[random(bases.length)]), v = validators[`${o.apiVersion}/${o.kind}`];
    if (v.builtIn && hasNull(o)) continue; // to Go null is nothing; the validator refuses it
    const shown = JSON.stringify(o, null, 1);
    mutants.push({o: structuredClone(o), accepted: v.check(o), why: v.validate.errors});
    lines.push(line);
    text += shown + ',\n';
    line += shown.split('\n').length;
}
text = text.slice(0, -2) + '\n]}\n';

const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'plumb-kube-')), 'mutants.json');
fs.writeFileSync(file, text);
const codes = ['KUBE001', 'KUBE002', 'KUBE003', 'KUBE004', 'KUBE005', 'KUBE006', 'KUBE008', 'KUBE021'];
const run = spawnSync(plumb, ['check', '--kubernetes', 'slinky=1.2.1', '--format', 'json', '--max-findings', '1000000',
    '--select', codes.join(','), file], {encoding: 'utf8', maxBuffer: 1 << 30});
if (run.error || !run.stdout) { console.error(run.error ?? run.stderr); process.exit(2); }
const refused = new Map();
for (const f of JSON.parse(run.stdout).findings) {
    // What is in a field that the CRD leaves open is the operator's concern, and what is made of it that of validation.
    if (f.severity !== 'error' || /the operator (cannot|drops|makes)/.test(f.message)) continue;
    let low = 0, high = lines.length;
    while (high - low > 1) { const mid = (low + high) >> 1; if (lines[mid] <= f.line) low = mid; else high = mid; }
    // No schema of a built-in kind has the words that validation wants.
    const {apiVersion, kind} = mutants[low].o;
    if (validators[`${apiVersion}/${kind}`].builtIn && /expected one of|an extended resource/.test(f.message)) continue;
    if (!refused.has(low)) refused.set(low, f);
}
let differ = 0, accepted = 0;
mutants.forEach((m, i) => {
    accepted += m.accepted;
    if (m.accepted !== refused.has(i)) return;
    if (differ++ < 20) console.log(`${m.o.apiVersion}/${m.o.kind}: validator ${m.accepted ? 'accepts' : 'refuses: ' + JSON.stringify(m.why[0])}`,
        `plumb ${refused.has(i) ? 'refuses: ' + refused.get(i).message : 'accepts'}\n   ${JSON.stringify(m.o).slice(0, 600)}`);
});
console.log(`${mutants.length} mutants of ${bases.length} objects, ${accepted} accepted by the validators, ${differ} verdicts differ`);
fs.rmSync(path.dirname(file), {recursive: true});
process.exit(differ > 0 ? 1 : 0);
