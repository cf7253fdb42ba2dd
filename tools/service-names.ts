import { readdirSync } from 'node:fs'

/** The services in alphabetical order: the folders of `services`. */
export const serviceNames = readdirSync(new URL('../services', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()
