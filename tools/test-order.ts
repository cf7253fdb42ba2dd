// The order in which test files begin: those that take longest first, so that no worker is left with one of them while the
// others have nothing to do. A fresh checkout knows no durations, and the longest files list others and look small.

import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** By how long they took, on a machine with two cores; what isn't here comes after, larger files first. */
const LONGEST = [
  'server-limits',
  'attacks',
  'processing',
  'gateway',
  'event-stream',
  'render-markdown.fuzz',
  's3-deadlines',
  'packages',
  'upgrade',
  'kubernetes',
  'api-users',
  'api',
  'api-messaging',
  'consistency-under-faults',
  'restoring',
  'consistency',
  'operators',
  'lost-database-host',
  'organization-exports',
  'scheduled-delivery',
  'event-queues',
  'rolling-replacement',
  'lost-hosts',
  'key-replacement',
  'register-hand-off',
  'exactly-once',
  'unresponsive-database',
  'account-pages',
  'broker-connection',
  'identity-changes',
  'presence',
  'user-list-cache',
  'event-model',
  'clusters',
  'guest-visibility-hand-off',
  'joining',
  'missed-changes',
  'migrating',
  'database-failover',
]

const rankOf = ({ moduleId }: TestSpecification) => {
  const at = LONGEST.indexOf(basename(moduleId, '.test.ts'))
  return at < 0 ? LONGEST.length : at
}
const sizeOf = ({ moduleId }: TestSpecification) => statSync(moduleId).size

/** Sorts the files of a run. */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => rankOf(one) - rankOf(other) || sizeOf(other) - sizeOf(one))
  }
}
