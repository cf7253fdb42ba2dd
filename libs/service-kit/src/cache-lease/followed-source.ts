import type { Logger } from '../log.ts'
import { within } from '../within.ts'
import { ACKNOWLEDGE_MS, type Announced, type Announcement, type Source } from './lease-store.ts'

/** Up to where a replica follows a source: announcements up to `seq` of an epoch. */
export interface FollowedTo {
  readonly epoch: string
  readonly seq: number
}

/** What a service does to follow another's changes. Calls never overlap. */
export interface Follower {
  readonly source: Source
  /** Up to where it followed when it ended; null if it begins with nothing. */
  readonly resume: () => Promise<FollowedTo | null>
  /** Applies the changes of one announcement: afterwards nothing is cached, or projected, that is older. */
  readonly apply: (announcement: Announcement) => Promise<void>
  /**
   * Applies all that was committed at the source before the call, by asking it; `to` is what has been announced of that, null
   * where that can't be known. Rejects when the source can't be asked.
   */
  readonly catchUp: (to: FollowedTo | null) => Promise<void>
  /**
   * What is done before an announcement that was applied is acknowledged, while later ones are applied: whatever may wait for locks or
   * for other services, since the lease runs out meanwhile where it is part of `apply`.
   */
  readonly beforeAcknowledging?: (announcement: Announcement) => Promise<void>
}

/** Announcements that are on their way arrive by then; else they are taken for lost, and the source is asked. */
const UNDERWAY_MS = 200

/** Applies the announcements of one source in their order, and finds out when some are missing. */
export class FollowedSource {
  readonly #follower: Follower
  readonly #log: Logger
  readonly #onApplied: (announcement: Announcement) => void
  #to: FollowedTo | null = null
  #resumed: Promise<void> | undefined
  /** What is being applied, and what comes after it. */
  #work: Promise<unknown> = Promise.resolve()
  /** All that was applied by now has been acknowledged, unless it can't be. */
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

  /** Takes an announcement as it arrives. One that doesn't follow the last is left to `reach`. */
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
   * Has everything applied that was announced up to a number: what is on its way is awaited for a moment, then the source is
   * asked. Rejects when it can't be asked.
   */
  async reach(to: FollowedTo): Promise<void> {
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

  /** Asks the source for all that was committed there before the call. Rejects when it can't be asked. */
  ask(): Promise<void> {
    return this.#inOrder(() => this.#follower.catchUp(null))
  }

  /**
   * One after the other, since an acknowledgement counts for all before it as well. One that nobody waits for any longer holds up no
   * other.
   */
  #acknowledge(announcement: Announcement): void {
    const settling = within(ACKNOWLEDGE_MS, 'not in time', this.#follower.beforeAcknowledging?.(announcement))
    // It is told of below, once those before it are done.
    settling.catch(() => {})
    this.#acknowledged = this.#acknowledged
      .then(() => settling)
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

  #hasReached({ epoch, seq }: FollowedTo): boolean {
    return this.#to?.epoch === epoch && this.#to.seq >= seq
  }

  #isReachedSoon(to: FollowedTo): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isReached: boolean) => {
        clearTimeout(timer)
        this.#waiting.delete(check)
        resolve(isReached)
      }
      const timer = setTimeout(() => settle(this.#hasReached(to)), UNDERWAY_MS)
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

/** What a renewal found to have been announced of a source. */
export const announcedOf = ({ epoch, seqs }: Announced, source: Source): FollowedTo => ({
  epoch,
  seq: seqs[source],
})
