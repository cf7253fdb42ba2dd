import type { SectionResult } from '../report/section.ts'
import { measureBareParts } from './bare-parts.ts'
import type { Bench } from './bench.ts'
import { measureBreakdown } from './breakdown.ts'
import { measureChanges } from './changes.ts'
import { measureDelivery } from './delivery-latency.ts'
import { measureFlags } from './flag-changes.ts'
import { measureHandover } from './handover.ts'
import { measureLiveQueues } from './live-queues.ts'
import { measureMentions } from './mentions.ts'
import { measureMoves } from './moves.ts'
import { measureNarrows, measureSearch } from './narrow-pages.ts'
import { measureNchan } from './nchan.ts'
import type { SectionName } from './options.ts'
import { measurePollMemory } from './poll-memory.ts'
import { measurePresence } from './presence-pings.ts'
import { measureRegistering } from './registers.ts'
import { measureRendering } from './rendering.ts'
import { measureScale } from './scale.ts'
import { measureSendLatency } from './send-latency.ts'
import { measureSendRate } from './send-rate.ts'
import { measureSigningIn } from './signing-in.ts'

/** The function of each part. */
export const sections: Readonly<Record<SectionName, (bench: Bench) => Promise<SectionResult>>> = {
  parts: measureBareParts,
  send: measureSendRate,
  latency: measureSendLatency,
  moves: measureMoves,
  delivery: measureDelivery,
  breakdown: measureBreakdown,
  rendering: measureRendering,
  narrow: measureNarrows,
  search: measureSearch,
  flags: measureFlags,
  presence: measurePresence,
  mentions: measureMentions,
  queues: measureLiveQueues,
  nchan: measureNchan,
  'signing-in': measureSigningIn,
  changes: measureChanges,
  memory: measurePollMemory,
  // Last: its additions to the organization would slow down the others.
  register: measureRegistering,
  handover: measureHandover,
  scale: measureScale,
}
