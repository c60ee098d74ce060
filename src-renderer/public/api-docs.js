// The OpenAPI document of the server this page comes from, made readable. No library and nothing from elsewhere: it works
// offline, and under a policy that allows scripts of this origin only. Text reaches the page as text, never as markup.

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'];
/** Deeper structures are named, not unfolded. */
const MAX_DEPTH = 6;

/** @param {string} name @param {Record<string, string>} [attributes] @param {...(Node | string)} children */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** One row for each operation, in the order of the document. */
export function operationsOf(api) {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method]).map((method) => {
      const operation = methods[method];
      const tag = operation.tags?.[0] ?? 'other';
      const searched = `${method} ${path} ${operation.summary} ${operation.operationId} ${tag}`.toLowerCase();
      return { method, path, operation, tag, searched };
    }),
  );
}

/** True when every word of the query is somewhere in the operation. */
export function fits(row, query) {
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => row.searched.includes(word));
}

function resolve(schema, schemas) {
  const name = schema?.$ref?.split('/').at(-1);
  return name === undefined ? { schema: schema ?? {}, name: undefined } : { schema: schemas[name] ?? {}, name };
}

/** `Machine`, `array of string`, `map of integer`, `string or null`. */
export function typeName(given, schemas) {
  const { schema, name } = resolve(given, schemas);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map((one) => typeName(one, schemas)))].join(' or ');
  const types = [schema.type ?? 'any value'].flat();
  return types
    .map((type) => {
      if (type === 'array') return `array of ${typeName(schema.items ?? {}, schemas)}`;
      if (type !== 'object' || schema.properties) return schema.format ? `${type} (${schema.format})` : type;
      const value = schema.additionalProperties ?? Object.values(schema.patternProperties ?? {})[0];
      return value ? `map of ${typeName(value, schemas)}` : 'object';
    })
    .join(' or ');
}

/** The schema whose fields are worth showing: of an object, or of what an array or a map holds. */
function inner(given, schemas) {
  const { schema, name } = resolve(given, schemas);
  if (schema.properties) return { schema, name };
  const held = schema.items ?? schema.additionalProperties ?? schema.anyOf?.find((one) => one.type !== 'null');
  return held && typeof held === 'object' ? inner(held, schemas) : undefined;
}

function fieldList(given, schemas, seen) {
  const found = inner(given, schemas);
  if (!found || seen.length > MAX_DEPTH || (found.name && seen.includes(found.name))) return undefined;
  const required = new Set(found.schema.required ?? []);
  return element(
    'ul',
    { class: 'fields' },
    ...Object.entries(found.schema.properties).map(([name, field]) => {
      const notes = [
        ...(field.readOnly ? ['set by the server'] : []),
        ...(field.deprecated ? ['deprecated'] : []),
        ...(required.has(name) ? [] : ['optional']),
        ...(field.description ? [field.description] : []),
      ];
      const nested = fieldList(field, schemas, [...seen, found.name ?? '']);
      return element(
        'li',
        {},
        element('code', {}, name),
        ' ',
        element('span', { class: 'type' }, typeName(field, schemas)),
        ...(notes.length > 0 ? [' ', element('span', { class: 'note' }, notes.join('. '))] : []),
        ...(nested ? [nested] : []),
      );
    }),
  );
}

function schemaBlock(title, content, schemas) {
  const blocks = [element('h3', {}, title)];
  for (const [type, { schema }] of Object.entries(content ?? {})) {
    const line = element('p', { class: 'note' }, `${type}${schema ? ': ' : ''}`);
    if (schema) line.append(element('span', { class: 'type' }, typeName(schema, schemas)));
    blocks.push(line);
    const fields = schema && fieldList(schema, schemas, []);
    if (fields) blocks.push(fields);
  }
  return blocks;
}

function parameterTable(parameters) {
  return element(
    'table',
    {},
    element(
      'thead',
      {},
      element('tr', {}, ...['Name', 'In', 'Meaning'].map((head) => element('th', { scope: 'col' }, head))),
    ),
    element(
      'tbody',
      {},
      ...parameters.map((one) =>
        element(
          'tr',
          {},
          element('td', {}, element('code', {}, one.name)),
          element('td', {}, `${one.in}${one.required ? ', required' : ''}`),
          element('td', {}, one.description ?? ''),
        ),
      ),
    ),
  );
}

/** A command to try the operation with. */
export function curlFor({ method, path, operation }) {
  const types = Object.keys(operation.requestBody?.content ?? {});
  const isOpen = operation.security?.length === 0;
  return [
    `curl -sk${method === 'get' ? '' : method === 'head' ? 'I' : ` -X ${method.toUpperCase()}`}`,
    ...(isOpen ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(types[0] ? [`-H 'Content-Type: ${types[0]}'`] : []),
    ...(types[0] ? [types[0] === 'application/json' ? "-d '…'" : '--data-binary @FILE'] : []),
    `"${location.origin}/api/v3${path}"`,
  ].join(' ');
}

function details(row, schemas) {
  const { operation } = row;
  const body = element('div', { class: 'body' });
  body.append(element('h3', {}, 'Try'), element('pre', { tabindex: '0' }, curlFor(row)));
  if (operation.parameters?.length > 0)
    body.append(element('h3', {}, 'Parameters'), parameterTable(operation.parameters));
  if (operation.requestBody) body.append(...schemaBlock('Request body', operation.requestBody.content, schemas));
  for (const [status, answer] of Object.entries(operation.responses))
    body.append(...schemaBlock(status === 'default' ? 'Refusal' : `Answer ${status}`, answer.content, schemas));
  return body;
}

function operationElement(row, schemas) {
  const made = element(
    'details',
    { class: 'operation', id: row.operation.operationId },
    element(
      'summary',
      {},
      element('span', { class: `method ${row.method}` }, row.method.toUpperCase()),
      element('span', { class: 'path' }, row.path),
      element('span', { class: 'summary' }, row.operation.summary ?? ''),
    ),
  );
  // Hundreds of operations: each is filled in when somebody looks.
  made.addEventListener('toggle', () => {
    if (made.open && made.children.length === 1) made.append(details(row, schemas));
  });
  return made;
}

function show(api) {
  const schemas = api.components.schemas;
  const rows = operationsOf(api);
  const main = document.getElementById('operations');
  const nav = document.getElementById('tags');
  const query = document.getElementById('query');
  const count = document.getElementById('count');
  document.getElementById('version').textContent = api.info.version;
  document.getElementById('description').textContent = api.info.description ?? '';

  const tags = [...new Set(rows.map((row) => row.tag))].sort();
  const groups = tags.map((tag) => {
    const members = rows
      .filter((row) => row.tag === tag)
      .map((row) => ({ row, shown: operationElement(row, schemas) }));
    const section = element('section', { id: `tag-${tag}`, 'aria-labelledby': `head-${tag}` });
    section.append(element('h2', { id: `head-${tag}` }, tag), ...members.map((one) => one.shown));
    const number = element('small', {}, String(members.length));
    const item = element('li', {}, element('a', { href: `#tag-${tag}` }, tag, number));
    return { members, section, item, number };
  });
  main.replaceChildren(...groups.map((group) => group.section));
  nav.replaceChildren(element('ul', {}, ...groups.map((group) => group.item)));

  const filter = () => {
    let total = 0;
    for (const { members, section, item, number } of groups) {
      let found = 0;
      for (const { row, shown } of members) {
        shown.hidden = !fits(row, query.value.trim());
        if (!shown.hidden) found++;
      }
      section.hidden = found === 0;
      item.hidden = found === 0;
      number.textContent = String(found);
      total += found;
    }
    count.textContent = `${total} operation${total === 1 ? '' : 's'}`;
  };
  query.addEventListener('input', filter);
  filter();

  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target instanceof HTMLDetailsElement) target.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', follow);
  follow();
}

async function load() {
  try {
    const answer = await fetch('/api/v3/openapi.json');
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    show(await answer.json());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    document
      .getElementById('operations')
      .replaceChildren(
        element(
          'p',
          { class: 'failure', role: 'alert' },
          `The document could not be read: ${reason}. Reload once the service runs.`,
        ),
      );
  }
}

if (document.getElementById('operations')) void load();
