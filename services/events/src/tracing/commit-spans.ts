import { markFailed, type Span, startSpan, traceparentOf } from '@tms/service-kit'
import type { LogRecord } from '../log/entry.ts'
import type { Changes } from '../partitions/changes.ts'

/** The commit under way, in the trace of each entry that is part of one. */
export interface CommitSpans {
  /** By which delivery goes on from it, by the entries' offsets. */
  readonly traceparents: Readonly<Record<number, string>>
  /** Ends them; with what became of a commit that came to nothing. */
  end(failure?: string): void
}

/** Starts a span for each of these entries, whose changes are about to be committed together. */
export function startCommitSpans(
  traced: readonly LogRecord[],
  { partition, changes, entries }: { partition: number; changes: Changes; entries: number },
): CommitSpans {
  const spans: Span[] = []
  const traceparents: Record<number, string> = {}
  for (const { offset, entry, trace } of traced) {
    if (!trace || !entry) continue
    const open = startSpan('commit partition', trace.reading(entry.event, offset), {
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

/** How much has been changed so far: by which it shows whether an entry did something. */
export function weightOf({
  deliveryCount,
  opened,
  closed,
  subscriptions,
  sights,
  restated,
}: Changes): number {
  return deliveryCount + opened.length + closed.length + subscriptions.length + sights.length + restated.size
}
