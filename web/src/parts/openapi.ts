/** As much of an OpenAPI document as the page that tries it needs. */
import type { Phrase } from '../api/types';

export interface Parameter {
  name: string;
  where: 'path' | 'query';
  required: boolean;
  text: Phrase;
}

export interface Operation {
  method: string;
  path: string;
  tag: Phrase;
  summary: Phrase;
  parameters: Parameter[];
  /** An example of the body, if there is one. */
  body: string | null;
  bodyType: string;
  stream: boolean;
}

type Json = Record<string, unknown>;

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** A text of the document with the Chinese beside it. */
function both(english: unknown, beside: Json | undefined): Phrase {
  const en = String(english ?? '');
  return { en, zh: String(beside?.['x-zh'] ?? en) };
}

/** Every operation of the document. */
export function operations(document: Json): Operation[] {
  const found: Operation[] = [];
  const tags = (document['tags'] ?? []) as Json[];
  for (const [path, item] of Object.entries((document['paths'] ?? {}) as Record<string, Json>)) {
    for (const method of methods) {
      const operation = item[method] as Json | undefined;
      if (!operation) continue;
      const content = ((operation['requestBody'] as Json | undefined)?.['content'] ?? null) as Record<string, Json> | null;
      const [bodyType, media] = content ? (Object.entries(content)[0] ?? ['application/json', {}]) : ['application/json', null];
      const tag = (operation['tags'] as string[] | undefined)?.[0] ?? 'api';
      const answers = JSON.stringify(operation['responses'] ?? {});
      found.push({
        method: method.toUpperCase(),
        path,
        tag: both(tag, tags.find((one) => one['name'] === tag)),
        summary: both(operation['summary'], operation),
        parameters: [...((item['parameters'] ?? []) as Json[]), ...((operation['parameters'] ?? []) as Json[])].flatMap((one) =>
          one['in'] === 'path' || one['in'] === 'query'
            ? [{ name: String(one['name']), where: one['in'], required: one['required'] === true, text: both(one['description'], one) }]
            : [],
        ),
        body: media === null ? null : bodyType === 'application/json' ? JSON.stringify(example(document, (media['schema'] ?? {}) as Json, media['example'], 0), null, 2) : '',
        bodyType,
        stream: answers.includes('text/event-stream') || path.endsWith('/events'),
      });
    }
  }
  return found;
}

/** A value that fits a schema. */
function example(document: Json, schema: Json, given: unknown, depth: number): unknown {
  if (given !== undefined) return given;
  if (schema['example'] !== undefined) return schema['example'];
  if (depth > 5) return null;
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const target = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((value, key) => (value as Json | undefined)?.[key], document);
    return example(document, (target ?? {}) as Json, undefined, depth + 1);
  }
  for (const key of ['oneOf', 'anyOf', 'allOf']) {
    const [first] = (schema[key] as Json[] | undefined)?.filter((one) => one['type'] !== 'null') ?? [];
    if (first) return example(document, first, undefined, depth + 1);
  }
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const type = Array.isArray(schema['type']) ? schema['type'].find((one) => one !== 'null') : schema['type'];
  switch (type) {
    case 'object': {
      const required = new Set((schema['required'] as string[] | undefined) ?? []);
      const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
      return Object.fromEntries(fields.filter(([key]) => required.has(key)).map(([key, field]) => [key, example(document, field, undefined, depth + 1)]));
    }
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'string':
      return '';
    default:
      return {};
  }
}
