// Run as `eslint -c .ci/eslint.config.mjs`. Besides the recommended sets it holds the direction of
// dependencies: each folder lists what it may not reach.
import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import noInheritedLookup from './noInheritedLookup.mjs';

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

export default tseslint.config(
  { ignores: ['dist/', '.build/', 'node_modules/', '.leadwire/', 'test/fixtures/'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: './tsconfig.json',
        tsconfigRootDir: `${import.meta.dirname}/..`,
      },
    },
    rules: {
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
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
    ignores: ['src/domain/own.ts'],
    plugins: { leadwire: { rules: { 'no-inherited-lookup': noInheritedLookup } } },
    rules: { 'leadwire/no-inherited-lookup': 'error' },
  },
  { files: ['**/*.mjs'], ...tseslint.configs.disableTypeChecked },
  // What stands for a value in an expectation (`expect.any(Date)`) is typed `any` by the test runner.
  { files: ['test/**'], rules: { '@typescript-eslint/no-unsafe-assignment': 'off' } },
  forbid(
    ['src/domain/**'],
    [
      pattern(
        ['node:*', '!node:crypto', 'mongodb', '@temporalio/*', 'koa', 'undici'],
        'The domain does no I/O.',
      ),
      {
        group: ['node:crypto'],
        allowImportNames: ['createHash'],
        message: 'The domain hashes, and draws nothing by chance.',
      },
      pattern(
        ['../../*', '../[!e]*/*', '../store/*', '../http/*'],
        'The domain imports only itself.',
        true,
      ),
    ],
  ),
  forbid(
    ['src/store/**'],
    [
      pattern(
        ['**/http/*', '**/temporal/*', '@temporalio/*', 'koa'],
        'The store knows only MongoDB and the domain.',
      ),
    ],
  ),
  forbid(
    ['src/http/**'],
    [
      pattern(
        ['**/activities/*', '**/workflows/*'],
        'HTTP hands work over; it does not do it.',
        true,
      ),
    ],
  ),
  forbid(
    ['activities/**'],
    [pattern(['**/http/*', '**/workflows/*', 'koa'], 'Activities do not know who called.', true)],
  ),
  forbid(
    ['workflows/**'],
    [
      pattern(
        ['node:*', 'zod', 'mongodb', 'undici'],
        'Workflows run in a sandbox: @temporalio/workflow and types only.',
      ),
      pattern(
        ['../src/**', '../activities/**'],
        'Workflows take types from outside, never code.',
        true,
      ),
    ],
  ),
  { files: ['test/**'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
  prettier,
);
