// The order in which test files begin: those that take longest first, so that no worker is left with one of them while the
// others have nothing to do. A fresh checkout knows no durations, and the longest files list others and look small.

import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * By how long they took, on a machine with two cores, with those that mostly wait between those that compute; what isn't here
 * comes after, larger files first.
 */
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
  'api',
  'restoring',
  'lost-database-host',
  'api-users',
  'scheduled-delivery',
  'missed-messages',
  'api-messaging',
  'lost-hosts',
  'operators',
  'consistency-under-faults',
  'event-streams',
  'organization-exports',
  'consistency',
  'key-replacement',
  'event-queues',
  'organization-deletion',
  'register-hand-off',
  'log-in',
  'rolling-replacement',
  'webhook-bursts',
  'identity-changes',
  'clusters',
  'event-model',
  'unresponsive-database',
  'sends-at-once',
  'push',
  'exactly-once',
  'broker-connection',
  'user-list-cache',
  'database-failover',
  'presence',
  'tls',
  'account-pages',
  'app-push',
  'search-indexing',
  'search-limits',
  'joining',
  'guest-visibility-hand-off',
  'directory-sync',
  'outbox-relay',
  'missed-changes',
  'migrating',
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
