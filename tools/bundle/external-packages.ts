/**
 * Packages that are not bundled and stay in the `node_modules` of images. Some are native, or are read or started by path.
 * Others are large and rarely needed: code loads them on first use, by `import` or `require`.
 */
export const EXTERNAL_PACKAGES = [
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

/** For the bundler. `pg-native` is optional for pg and not installed. */
export const outside = new RegExp(
  `^(?:${[...EXTERNAL_PACKAGES, 'pg-native'].join('|').replaceAll('.', '\\.')})(?:/|$)`,
)
