/**
 * Packages that stay in `node_modules`; images have these alone. Some are native code, or are read or started by path. Others are
 * large and seldom needed: code that can't wait for an import gets them by `require` when it does.
 */
export const OUTSIDE = [
  'sharp',
  '@node-rs/argon2',
  'swagger-ui-dist',
  'tinypool',
  'katex',
  'highlight.js',
  '@zxcvbn-ts/core',
  '@zxcvbn-ts/language-common',
  'disposable-email-domains-js',
]

/** For the bundler. `pg-native` is installed nowhere: pg asks for it only where somebody wants it. */
export const outside = new RegExp(`^(?:${[...OUTSIDE, 'pg-native'].join('|').replaceAll('.', '\\.')})(?:/|$)`)
