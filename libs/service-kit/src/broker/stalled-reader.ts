import type { Registry } from 'prom-client'
import { Gauge } from '../telemetry/metrics.ts'
import type { LogReader } from './log-reader.ts'

/** Reports for how long the reader of a stream, the only one of its service, has made no progress. */
export function reportStalledReader(
  metrics: Registry,
  stream: 'audit' | 'projections',
  reader: Pick<LogReader, 'stalledSince'>,
): void {
  new Gauge({
    name: 'stream_stalled_seconds',
    help: 'How long this replica has been unable to read a stream of the services, or to store its next entry, by stream; 0 if it works.',
    labelNames: ['stream'],
    registers: [metrics],
    collect() {
      const since = reader.stalledSince()
      this.set({ stream }, since === null ? 0 : (Date.now() - since) / 1000)
    },
  })
}
