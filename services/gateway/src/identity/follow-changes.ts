import { type Logger, type Loop, startLoop } from '@tms/service-kit'

/** How often users is asked. Too small is a load on users, too large lets less time to answer within the second. */
const EVERY_MS = 250
/**
 * Too small gives up on a users that is only busy, and asks it about everybody instead; too large keeps callers waiting
 * when it stands still.
 */
const ANSWER_MS = 2_000
/** Questions don't wait for each other, so that a replica that stands still holds up its own only. */
const MAX_UNDER_WAY = 8
/** For this long after a question was asked, what its answer didn't name counts as unchanged. */
const HEARD_MS = 900
/** What is over by then frightens for nothing: users is starting too, or a replica of it is replaced. */
const WARN_AFTER_MS = 5_000

/** Of whom something else is true: users, and organizations with all their users. */
export interface Changed {
  readonly userIds: readonly number[]
  readonly realmIds: readonly number[]
}

/** What users answers: who changed, and where to go on. */
interface Changes extends Changed {
  readonly cursor: string
}

interface FollowOptions {
  /** Asks users who changed after an earlier answer's cursor; null before there was one. */
  readonly ask: (since: string | null, timeoutMs: number) => Promise<Changes>
  /** Gets those whose key, role, addresses or activity changed, or whose organization's; one may come again. */
  readonly onChanged: (changed: Changed) => void
  readonly log: Logger
  readonly now: () => number
}

/** Following changes of what identities say. */
export interface ChangesFollower extends Pick<Loop, 'stop'> {
  /** Whether every change that was made up to a second ago has been told. */
  isCurrent(): boolean
  /** Up to when every change has been told; minus infinity before there was an answer. */
  heardAt(): number
  /**
   * Waits until every change that was made up to a second before now has been told. One question serves all who wait; false
   * when users doesn't answer it.
   */
  becomeCurrent(): Promise<boolean>
}

interface Question {
  readonly askedAt: number
  /** Whether what was asked is known, by its answer or by a later question's. */
  readonly isHeard: Promise<boolean>
  readonly settle: (isHeard: boolean) => void
}

/**
 * Asks users again and again whose credentials or role changed (decision 16): what was committed before a question is
 * in its answer, so the age of the last answered question bounds how old what is remembered can be.
 */
export function followIdentityChanges({ ask, onChanged, log, now }: FollowOptions): ChangesFollower {
  let cursor: string | null = null
  let heardAt = Number.NEGATIVE_INFINITY
  /** Since when nothing is heard; null while it is. */
  let lostAt: number | null = null
  let hasWarned = false
  /** Earliest first. */
  const underWay = new Set<Question>()

  const isCurrent = () => now() - heardAt < HEARD_MS
  const hear = (question: Question, changes: Changes) => {
    onChanged(changes)
    for (const earlier of underWay) if (earlier.askedAt <= question.askedAt) earlier.settle(true)
    // A question may overtake an earlier one, whose answer ends earlier then.
    if (question.askedAt < heardAt) return
    cursor = changes.cursor
    heardAt = question.askedAt
  }
  const askNow = (): Question => {
    let settle: (isHeard: boolean) => void = () => {}
    const isHeard = new Promise<boolean>((resolve) => {
      settle = resolve
    })
    const question = { askedAt: now(), isHeard, settle }
    underWay.add(question)
    ask(cursor, ANSWER_MS)
      .then((changes) => hear(question, changes))
      .catch((err: unknown) => log.debug({ err }, 'users did not say whose identity changed'))
      .finally(() => {
        underWay.delete(question)
        settle(false)
      })
    return question
  }
  const tellState = () => {
    if (isCurrent()) {
      if (hasWarned) log.info('changes of identities are heard of')
      lostAt = null
      hasWarned = false
      return
    }
    lostAt ??= now()
    if (hasWarned || now() - lostAt < WARN_AFTER_MS) return
    hasWarned = true
    log.warn('changes of identities are not heard of: users is asked about everyone each second')
  }
  const loop = startLoop({
    name: 'identity changes',
    log,
    round: async () => {
      if (underWay.size < MAX_UNDER_WAY) askNow()
      tellState()
      return EVERY_MS
    },
  })
  return {
    isCurrent,
    heardAt: () => heardAt,
    becomeCurrent: () => {
      const newest = [...underWay].at(-1)
      if (newest && now() - newest.askedAt < HEARD_MS) return newest.isHeard
      return underWay.size < MAX_UNDER_WAY ? askNow().isHeard : Promise.resolve(false)
    },
    stop: async () => {
      await loop.stop()
      await Promise.all([...underWay].map(({ isHeard }) => isHeard))
    },
  }
}
