import { within } from '../concurrency/within.ts'
import type { Logger } from '../telemetry/log.ts'
import { ACKNOWLEDGE_MS, type AnnouncedState, type Announcement, type Source } from './lease-store.ts'

/** A position in a source's announcements: all up to `seq` of an epoch. */
export interface AnnouncedPosition {
  readonly epoch: string
  readonly seq: number
}

/** How a service follows another's changes. Calls never overlap. */
export interface Follower {
  readonly source: Source
  /** The position saved by the last run; null if there is none. */
  readonly resume: () => Promise<AnnouncedPosition | null>
  /** Applies the changes of one announcement: afterwards nothing older is cached or projected. */
  readonly apply: (announcement: Announcement) => Promise<void>
  /**
   * Queries the source and applies everything committed there before the call; `to` is the position that this covers,
   * null if unknown. Rejects if the source can't be queried.
   */
  readonly catchUp: (to: AnnouncedPosition | null) => Promise<void>
  /**
   * Runs before an applied announcement is acknowledged, while later ones are applied. Work that may wait for locks
   * or other services belongs here: as part of `apply` it would let the lease expire.
   */
  readonly beforeAcknowledging?: (announcement: Announcement) => Promise<void>
}

/** Announcements on their way arrive by then; otherwise they count as lost, and the source is queried. */
const IN_TRANSIT_MS = 200

/** Applies the announcements of one source in order, and notices when some are missing. */
export class FollowedSource {
  readonly #follower: Follower
  readonly #log: Logger
  readonly #onApplied: (announcement: Announcement) => void
  #to: AnnouncedPosition | null = null
  #resumed: Promise<void> | undefined
  /** The change that is being applied, and those after it. */
  #work: Promise<unknown> = Promise.resolve()
  /** Settles once everything applied so far is acknowledged, unless that fails. */
  #acknowledged: Promise<unknown> = Promise.resolve()
  readonly #waiting = new Set<() => void>()

  constructor(follower: Follower, onApplied: (announcement: Announcement) => void, log: Logger) {
    this.#follower = follower
    this.#onApplied = onApplied
    this.#log = log
  }

  get source(): Source {
    return this.#follower.source
  }

  /** Takes an announcement as it arrives. One that doesn't follow the last is left to `catchUpTo`. */
  receive(announcement: Announcement): void {
    void this.#inOrder(async () => {
      await this.#resume()
      const to = this.#to
      if (to?.epoch !== announcement.epoch || announcement.seq > to.seq + 1) return
      if (announcement.seq === to.seq + 1) {
        if (announcement.changes === null) await this.#follower.catchUp(announcement)
        else await this.#follower.apply(announcement)
        this.#to = { epoch: announcement.epoch, seq: announcement.seq }
        for (const check of this.#waiting) check()
      }
      this.#acknowledge(announcement)
    }).catch((err: unknown) =>
      this.#log.warn({ err, source: this.source }, 'an announced change could not be applied'),
    )
  }

  /**
   * Applies everything announced up to a position: waits a moment for announcements on their way, then queries the
   * source. Rejects if it can't be queried.
   */
  async catchUpTo(to: AnnouncedPosition): Promise<void> {
    await this.#inOrder(() => this.#resume())
    if (this.#hasReached(to)) return
    if (this.#to?.epoch === to.epoch && (await this.#isReachedSoon(to))) return
    await this.#inOrder(async () => {
      if (this.#hasReached(to)) return
      await this.#follower.catchUp(to)
      this.#to = to
    })
    this.#acknowledge({ ...to, source: this.source, cursor: '', changes: null })
  }

  /** Applies everything committed at the source before the call, by querying it. Rejects if it can't be queried. */
  catchUp(): Promise<void> {
    return this.#inOrder(() => this.#follower.catchUp(null))
  }

  /**
   * Acknowledgements go out one after another, since each also covers all earlier ones. One that takes longer than
   * anyone waits for it doesn't delay the others.
   */
  #acknowledge(announcement: Announcement): void {
    const preparation = within(
      ACKNOWLEDGE_MS,
      'not in time',
      this.#follower.beforeAcknowledging?.(announcement),
    )
    // A failure is logged below, once the earlier ones are done.
    preparation.catch(() => {})
    this.#acknowledged = this.#acknowledged
      .then(() => preparation)
      .then(
        () => this.#onApplied(announcement),
        (err: unknown) =>
          this.#log.warn({ err, source: this.source }, 'an applied change is not acknowledged'),
      )
  }

  #resume(): Promise<void> {
    this.#resumed ??= this.#follower.resume().then(
      (to) => {
        this.#to ??= to
      },
      (err: unknown) => {
        this.#resumed = undefined
        throw err
      },
    )
    return this.#resumed
  }

  #hasReached({ epoch, seq }: AnnouncedPosition): boolean {
    return this.#to?.epoch === epoch && this.#to.seq >= seq
  }

  #isReachedSoon(to: AnnouncedPosition): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isReached: boolean) => {
        clearTimeout(timer)
        this.#waiting.delete(check)
        resolve(isReached)
      }
      const timer = setTimeout(() => settle(this.#hasReached(to)), IN_TRANSIT_MS)
      const check = () => {
        if (this.#hasReached(to)) settle(true)
      }
      this.#waiting.add(check)
      check()
    })
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work, work)
    this.#work = done.catch(() => {})
    return done
  }
}

/** The position of a source according to a renewal. */
export const announcedPositionOf = ({ epoch, seqs }: AnnouncedState, source: Source): AnnouncedPosition => ({
  epoch,
  seq: seqs[source],
})
