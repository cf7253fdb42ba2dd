/**
 * System tests that keep less than half a core busy: they wait for leases, timeouts and batching periods of the product.
 * Longest first.
 */
export const waitingFiles: readonly string[] = [
  'lost-database-host',
  'lost-hosts',
  'scheduled-delivery',
  'missed-messages',
  'digests',
  'push',
  'organization-deletion',
  'key-replacement',
  'push-relay',
  'unresponsive-database',
  'database-failover',
  'quiet-hours',
  'app-push',
  'sealed-push',
  'mail-delivery',
  'broker-connection',
].map((name) => `tests/system/${name}.test.ts`)
