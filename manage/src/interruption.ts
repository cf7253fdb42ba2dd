/** What a command that must not be left in the middle needs when it is interrupted. */
export interface Interruption {
  /** Aborted when it is. */
  readonly signal: AbortSignal
  /** Has the program end no sooner than this has, however that is. */
  readonly outlast: (work: Promise<unknown>) => void
}
