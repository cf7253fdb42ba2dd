// The order in which Jest begins test files: those that take longest first, so that no worker is left with one of them while
// the others have nothing to do. A fresh checkout knows no durations, and the longest files list others and look small.

import { basename } from 'node:path'

/** By how long they took, on a machine with two cores; what isn't here comes after, larger files first. */
const LONGEST = [
  'api-users',
  'api',
  'register-hand-off',
  'api-messaging',
  'organization-exports',
  'operators',
  'identity-changes',
  'exactly-once',
  'event-queues',
  'scheduled-delivery',
  'joining',
  'guest-sight-hand-off',
  'foreign-organization',
  'presence',
]

const placeOf = ({ path }) => {
  const at = LONGEST.indexOf(basename(path, '.test.ts'))
  return at < 0 ? LONGEST.length : at
}

// oxlint-disable-next-line import/no-default-export -- Jest takes nothing else.
export default class TestOrder {
  sort(tests) {
    const sizeOf = ({ context, path }) => context.hasteFS.getSize(path) ?? 0
    return [...tests].sort((one, other) => placeOf(one) - placeOf(other) || sizeOf(other) - sizeOf(one))
  }

  shard(tests) {
    return tests
  }

  allFailedTests(tests) {
    return tests
  }

  cacheResults() {}
}
