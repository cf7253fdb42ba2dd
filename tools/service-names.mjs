import { readdirSync } from 'node:fs'

/** The services, in the order of their names: each folder of `services` is one. */
export const serviceNames = readdirSync(new URL('../services', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()
