import { dirname } from 'node:path'

/** The folder of the checkout. */
export const repoRoot = dirname(import.meta.dirname)
