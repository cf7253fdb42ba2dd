import { markFailed, type Span, startSpan, traceparentOf } from '@tms/service-kit'
import type { Changes } from '../delivery/changes.ts'
import type { LogRecord } from '../log/entry.ts'

/** Spans of a running commit, in the trace of each traced entry. */
export interface CommitSpans {
  /** Parents of the delivery spans, by the entries' offsets. */
  readonly traceparents: Readonly<Record<number, string>>
  /** Ends the spans, with the outcome of a failed commit. */
  end(failure?: string): void
}

/** Starts a span for each of these entries, whose changes will be committed together. */
export function startCommitSpans(
  traced: readonly LogRecord[],
  { partition, changes, entries }: { partition: number; changes: Changes; entries: number },
): CommitSpans {
  const spans: Span[] = []
  const traceparents: Record<number, string> = {}
  for (const { offset, entry, trace } of traced) {
    if (!trace || !entry) continue
    const open = startSpan('commit partition', trace.receiveContext(entry.event, offset), {
      attributes: {
        'tms.partition': partition,
        'tms.commit.entries': entries,
        'tms.commit.deliveries': changes.deliveryCount,
      },
    })
    if (!open) continue
    spans.push(open.span)
    traceparents[offset] = traceparentOf(open.span) ?? ''
  }
  return {
    traceparents,
    end: (failure) => {
      for (const span of spans) {
        if (failure !== undefined) markFailed(span, failure)
        span.end()
      }
    },
  }
}
