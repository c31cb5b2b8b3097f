/** The reference of a funnel's definition, generated from its schema. */
import { FunnelDefinition } from '../../src/funnels/rules/definition.js';
import { jsonSchema } from '../../src/lib/jsonSchema.js';
import { code, tableOf, withTable } from './generatedTable.js';

const START = '<!-- definition: made by `npm run docs:types`, not by hand -->';
const END = '<!-- end of definition -->';

/** The parts of a JSON schema that the reference uses. */
interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | false;
  propertyNames?: Schema;
  required?: string[];
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
}

/** @throws {Error} when the page lacks one of its two marks */
export function withDefinition(page: string): string {
  const schema = jsonSchema(FunnelDefinition, 'input') as Schema;
  const blocks = schema.properties?.blocks?.items?.oneOf ?? [];
  const sections = [
    `### All of it\n\n${table(schema)}`,
    ...blocks.map(
      (block) =>
        `### ${code(String(block.properties?.type?.const))}\n\n${block.description ?? ''}.\n\n${table(block)}`,
    ),
  ];
  return withTable(page, START, END, sections.join('\n\n'));
}

const table = (schema: Schema): string =>
  tableOf(['Key', 'Value', 'Default', 'Meaning'], rowsOf(schema, ''));

/** Nested objects are shown by the paths of their keys; blocks have tables of their own. */
function rowsOf({ properties = {}, required = [] }: Schema, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const path = `${prefix}${key}`;
    const fallback = required.includes(key) ? 'required' : defaultOf(schema);
    const row = [code(path), valueOf(schema), fallback, schema.description ?? ''];
    const isBlocks = schema.items?.oneOf !== undefined;
    const inside = isBlocks ? [] : rowsOf(schema.items ?? schema, prefixOf(path, schema));
    return [row, ...inside];
  });
}

const prefixOf = (path: string, { items }: Schema): string => (items ? `${path}[].` : `${path}.`);

const defaultOf = ({ default: given }: Schema): string =>
  given === undefined || typeof given === 'object' ? '' : code(JSON.stringify(given));

function valueOf(schema: Schema): string {
  const { anyOf, items, minItems, maxItems, maxLength, minimum, maximum } = schema;
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((one) => code(String(one))).join(', ');
  if (anyOf) return anyOf.map(valueOf).join(' or ');
  switch (schema.type) {
    case 'string':
      return maxLength === undefined ? 'text' : `text, at most ${maxLength} characters`;
    case 'integer':
      return `whole number, ${minimum} to ${maximum}`;
    case 'number':
      return minimum === undefined ? 'number' : `number, ${minimum} to ${maximum}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `list of ${minItems ?? 0} to ${maxItems}: ${items?.oneOf ? 'blocks' : valueOf(items ?? {})}`;
    case 'object':
      return schema.propertyNames ? objectOf(schema.propertyNames) : 'object';
    case undefined:
    default:
      return schema.type ?? '';
  }
}

const objectOf = (names: Schema): string =>
  names.enum ? `object; its keys are of ${valueOf(names)}` : 'object of names and values';
