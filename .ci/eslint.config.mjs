// Run as `eslint -c .ci/eslint.config.mjs`. Besides the recommended sets it holds the direction of dependencies: a room
// imports lower layers, and of its own layer what `rooms.mjs` lists.
import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import noInheritedLookup from './noInheritedLookup.mjs';
import { forbiddenTo, ROOMS, TOP } from './rooms.mjs';

const forbid = (files, patterns) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
});
const pattern = (group, message, allowTypeImports = false) => ({
  group,
  message,
  // Type imports leave no trace in the output.
  ...(allowTypeImports ? { allowTypeImports: true } : {}),
});

/** No import of these rooms, whatever the depth of the file. No folder inside a room is named as a room. */
const notOf = (rooms, message) =>
  rooms.length === 0
    ? []
    : [{ regex: String.raw`^(?:\.\./)+(?:src/)?(?:${rooms.join('|')})/`, message }];

const PURE_LIB =
  'lib/(?:chunks|contrast|defined|errors|exactJson|invisible|longNumbers|nearest|getOwn|schema/\\w+)\\.js$';
const PURE = [
  pattern(
    ['node:*', '!node:crypto', '!node:url', 'mongodb', '@temporalio/*', 'koa', 'undici'],
    'Rules do no I/O.',
  ),
  {
    group: ['node:crypto'],
    allowImportNames: ['createHash'],
    message: 'Rules hash, and draw nothing by chance.',
  },
];
const RULES = [
  ...PURE,
  {
    regex: String.raw`^\.\./(?!\.\./|rules/|settings/)|^\.\./\.\./(?!(?:\w+/rules|account/settings|fields|routing/explain)/|${PURE_LIB})`,
    message: 'Rules import only rules.',
    allowTypeImports: true,
  },
];
/** Those of a folder inside `rules`. */
const NESTED_RULES = [
  ...PURE,
  {
    regex: String.raw`^\.\./\.\./(?!\.\./)|^\.\./\.\./\.\./(?!(?:\w+/rules|fields|routing/explain)/|${PURE_LIB})`,
    message: 'Rules import only rules.',
    allowTypeImports: true,
  },
];
const FIELDS = [
  ...PURE,
  {
    regex: String.raw`^\.\./(?!\w+/rules/|${PURE_LIB})`,
    message: 'Rules import only rules.',
    allowTypeImports: true,
  },
];
const STORE = [pattern(['@temporalio/*', 'koa'], 'A store knows only MongoDB and the rules.')];
const ACTIVITIES = [pattern(['koa'], 'Activities do not know who called.', true)];
const WORKFLOWS = [
  pattern(
    ['node:*', 'zod', 'mongodb', 'undici'],
    'Workflows run in a sandbox: @temporalio/workflow and types only.',
  ),
  pattern(
    ['../src/**', '../activities/**'],
    'Workflows take types from outside, never code.',
    true,
  ),
];
const API = notOf(['activities', 'workflows'], 'The API hands work over; it does not do it.');
/** The page's own folders are at most two steps up. */
const BROWSER = [
  {
    regex: String.raw`^(?!(?:\.\./)+(?:lib/(?:csv/writeRow|exactJson)|account/rules/capLimits)\.js$)(?:(?:\.\./){3,}(?!api/)|node:)`,
    message:
      'A page knows of the service only the types of its API, the table of caps, how JSON is read and how files are written.',
  },
  {
    regex: String.raw`^(?:\.\./){3,}api/`,
    message: 'A page takes types from the API, never code.',
    allowTypeImports: true,
  },
];
/** What a page and its service must read alike. */
const READERS = String.raw`\.\./\.\./(?:fields/phone|lib/invisible)\.js$`;
const FUNNEL_SCRIPT = [
  {
    regex: String.raw`^(?!\.\./${READERS})(?:(?:\.\./){2,}|node:)`,
    message:
      'The script of a funnel knows of the service only what its page says, and how it reads values.',
  },
  {
    regex: String.raw`^\.\./(?!protocol\.js$|${READERS})`,
    message: 'It takes types from the pages, and code only from protocol.ts and readers of values.',
    allowTypeImports: true,
  },
];
/** What the pages' security policy refuses, and what React's own lint would find: a hook in a branch or a loop. */
const HOOK = 'CallExpression[callee.name=/^use[A-Z]/]';
const NOT_IN_BROWSER = [
  {
    selector: 'JSXAttribute[name.name=/^(style|dangerouslySetInnerHTML)$/]',
    message: 'The security policy of the pages refuses it.',
  },
  {
    selector: [
      'IfStatement',
      'ForStatement',
      'ForOfStatement',
      'WhileStatement',
      'ConditionalExpression',
    ]
      .map((branch) => `${branch} > :not(Identifier) ${HOOK}`)
      .join(', '),
    message: 'A hook runs at every rendering: not in a branch.',
  },
];

/** Folders of a room that have rules of their own. Of two that hold a file the later wins. */
const SPECIAL = {
  fields: [['src/fields/', FIELDS]],
  platform: [['src/platform/mongo/', STORE]],
  routing: [['src/routing/explain/', RULES]],
  api: [['src/api/', API]],
  activities: [['activities/', ACTIVITIES]],
  workflows: [['workflows/', WORKFLOWS]],
};
const foldersOf = (room) => [
  ...(SPECIAL[room] ?? []),
  [`src/${room}/rules/`, RULES],
  [`src/${room}/rules/*/`, NESTED_RULES],
  [`src/${room}/store/`, STORE],
];
const order = (room) =>
  notOf(
    forbiddenTo(room),
    `"${room}" imports lower layers, and of its own what .ci/rooms.mjs lists.`,
  );
const filesOf = (room) => {
  if (TOP.has(room)) return [`${room}/**`];
  return [`src/${room}/**`, ...(room === 'app' ? ['src/main.ts', 'src/setup/**'] : [])];
};
// Of two blocks for a file the later wins.
const boundaries = [
  ...ROOMS.flatMap((room) => [
    forbid(filesOf(room), order(room)),
    ...foldersOf(room).map(([folder, own]) => forbid([`${folder}**`], [...order(room), ...own])),
  ]),
];

export default tseslint.config(
  { ignores: ['**/dist/', '.build/', 'node_modules/', '.leadwire/', 'test/fixtures/'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: [
          './tsconfig.json',
          './src/web/app/tsconfig.json',
          './src/web/funnels/client/tsconfig.json',
          './clients/typescript/tsconfig.json',
        ],
        tsconfigRootDir: `${import.meta.dirname}/..`,
      },
    },
    rules: {
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'SpreadElement > ObjectExpression, SpreadElement > ArrayExpression',
          message: 'Write what the literal holds in place of spreading it.',
        },
      ],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['src/**/*.ts', 'activities/**/*.ts', 'workflows/**/*.ts', 'cli/**/*.ts'],
    ignores: ['src/lib/getOwn.ts'],
    plugins: { leadwire: { rules: { 'no-inherited-lookup': noInheritedLookup } } },
    rules: { 'leadwire/no-inherited-lookup': 'error' },
  },
  {
    files: ['src/**/*.{ts,tsx}', 'cli/**/*.ts', 'activities/**/*.ts', 'workflows/**/*.ts'],
    rules: { '@typescript-eslint/max-params': ['error', { max: 4 }] },
  },
  { files: ['**/*.mjs'], ...tseslint.configs.disableTypeChecked },
  ...boundaries,
  {
    // What browsers load takes types from the API, and no code.
    files: ['src/web/app/**'],
    rules: {
      'no-restricted-imports': ['error', { patterns: BROWSER }],
      'no-restricted-syntax': ['error', ...NOT_IN_BROWSER],
      // Props are taken apart, and none uses `this`.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // What funnels load: each kilobyte counts on a phone, so that it is what the pages say, and nothing else.
    files: ['src/web/funnels/client/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: FUNNEL_SCRIPT }] },
  },
  {
    files: ['test/**'],
    rules: {
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  prettier,
);
