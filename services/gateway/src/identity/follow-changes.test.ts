import { describe, expect, test } from '@jest/globals'
import { createLog } from '@tms/service-kit'
import { type ChangesFollower, followIdentityChanges } from './follow-changes.ts'

/** Each question waits for the test to answer it, or to let it fail. */
function setUp() {
  const state = { time: 0 }
  const changed: number[][] = []
  const told: string[] = []
  const tell = (level: string) => (message: string) => void told.push(`${level}: ${message}`)
  const questions: {
    since: string | null
    answer: (cursor: string, userIds?: number[]) => void
    fail: () => void
  }[] = []
  let asked: () => void = () => {}
  const follower: ChangesFollower = followIdentityChanges({
    ask: (since) =>
      new Promise((resolve, reject) => {
        questions.push({
          since,
          answer: (cursor, userIds = []) => resolve({ cursor, userIds, realmIds: [] }),
          fail: () => reject(new Error('away')),
        })
        asked()
      }),
    onChanged: ({ userIds }) => changed.push([...userIds]),
    log: Object.assign(createLog('gateway', 'silent'), { warn: tell('warn'), info: tell('info') }),
    now: () => state.time,
  })
  const nextQuestion = async () => {
    if (questions.length === 0)
      await new Promise<void>((resolve) => {
        asked = resolve
      })
    return questions.shift() as (typeof questions)[number]
  }
  const stop = async () => {
    const stopped = follower.stop()
    for (const { fail } of questions) fail()
    await stopped
  }
  return { state, changed, told, follower, nextQuestion, stop }
}

describe('following changes of identities', () => {
  test('goes on where the newest answer ended, and tells who changed', async () => {
    const { state, changed, nextQuestion, stop } = setUp()
    const first = await nextQuestion()
    first.answer('17')
    const second = await nextQuestion()
    second.fail()
    const third = await nextQuestion()
    third.answer('18', [4, 5])
    const fourth = await nextQuestion()

    expect([first.since, second.since, third.since, fourth.since]).toEqual([null, '17', '17', '18'])
    expect(changed).toEqual([[], [4, 5]])

    state.time += 1
    const fifth = await nextQuestion()
    fifth.answer('20')
    const sixth = await nextQuestion()
    fourth.answer('19', [6])
    const seventh = await nextQuestion()
    expect([sixth.since, seventh.since]).toEqual(['20', '20'])
    expect(changed.at(-1)).toEqual([6])
    sixth.fail()
    seventh.fail()
    await stop()
  })

  test('is current for less than a second after a question that was answered, not after its answer', async () => {
    const { state, follower, nextQuestion, stop } = setUp()
    expect(follower.isCurrent()).toBe(false)
    const first = await nextQuestion()
    state.time = 600
    first.answer('1')
    const second = await nextQuestion()

    expect(follower.isCurrent()).toBe(true)
    state.time = 899
    expect(follower.isCurrent()).toBe(true)
    state.time = 900
    expect(follower.isCurrent()).toBe(false)

    second.answer('1')
    const third = await nextQuestion()
    expect(follower.isCurrent()).toBe(true)
    third.fail()
    await stop()
  })

  test('is warned of once it stays away, and then told of when it is back', async () => {
    const { state, told, nextQuestion, stop } = setUp()
    const fail = async () => (await nextQuestion()).fail()
    await fail()
    state.time = 4_999
    await fail()
    await fail()
    expect(told).toEqual([])

    state.time = 5_000
    await fail()
    await fail()
    expect(told).toEqual([expect.stringMatching(/^warn: changes of identities are not heard of/)])

    const { answer } = await nextQuestion()
    answer('1')
    await fail()
    await fail()
    expect(told.slice(1)).toEqual(['info: changes of identities are heard of'])
    await stop()
  })

  test('asks on while an answer is awaited, but not without end', async () => {
    const { follower, nextQuestion, stop } = setUp()
    const waiting = []
    for (let i = 0; i < 7; i++) waiting.push(await nextQuestion())
    const last = await nextQuestion()
    last.answer('1')
    const next = await nextQuestion()

    expect(follower.isCurrent()).toBe(true)
    for (const { fail } of [...waiting, next]) fail()
    await stop()
  })

  test('lets who waits go on by the answer to one question, asked up to a second before', async () => {
    const { state, follower, nextQuestion, stop } = setUp()
    const first = await nextQuestion()
    state.time = 899
    const before = [follower.becomeCurrent(), follower.becomeCurrent()]
    state.time = 900
    const after = [follower.becomeCurrent(), follower.becomeCurrent()]
    const second = await nextQuestion()

    first.answer('1')
    expect(await Promise.all(before)).toEqual([true, true])
    state.time = 5_000
    second.answer('2')
    expect(await Promise.all(after)).toEqual([true, true])
    await stop()
  })

  test('lets who waits go on by a later answer, or tells them that there is none', async () => {
    const { state, follower, nextQuestion, stop } = setUp()
    const hung = await nextQuestion()
    const waiting = follower.becomeCurrent()
    state.time = 250
    const later = await nextQuestion()
    later.answer('1')
    expect(await waiting).toBe(true)

    state.time = 2_000
    const inVain = follower.becomeCurrent()
    const failing = await nextQuestion()
    failing.fail()
    expect(await inVain).toBe(false)
    hung.fail()
    await stop()
  })
})
