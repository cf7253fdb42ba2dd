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
  'consistency',
  'api-messaging',
  'consistency-under-faults',
  'restoring',
  'lost-database-host',
  'operators',
  'event-model',
  'scheduled-delivery',
  'event-queues',
  'rolling-replacement',
  'key-replacement',
  'organization-exports',
  'register-hand-off',
  'lost-hosts',
  'identity-changes',
  'exactly-once',
  'clusters',
  'database-failover',
  'joining',
  'unresponsive-database',
  'account-pages',
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
