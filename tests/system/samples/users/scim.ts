import type { SamplesOf } from '../sample.ts'

/** The tests of provisioning have requests of another organization's: these need a token. */
const somebody = { foreign: { path: 'Users/1' } }
const noConsistencyRow = 'The tests of provisioning use each change in other services with its answer.'
const NOTHING_CACHED = 'Nothing caches tokens of provisioning systems.'

export const scimSamples = {
  createScimToken: { noConsistencyRow: NOTHING_CACHED },
  deleteScimToken: { noConsistencyRow: NOTHING_CACHED },
  getScimResources: somebody,
  createScimResource: { ...somebody, noConsistencyRow },
  replaceScimResource: { ...somebody, noConsistencyRow },
  patchScimResource: { ...somebody, noConsistencyRow },
  deleteScimResource: { ...somebody, noConsistencyRow },
} satisfies SamplesOf<'users'>
