import { describe, expect, test } from 'vitest'
import { Batched } from './batched.ts'

/** An attempt that the test ends. */
function anAttempt() {
  const running: { resolve: (value: number) => void; reject: (err: Error) => void }[] = []
  const batched = new Batched<number>(
    () => new Promise((resolve, reject) => void running.push({ resolve, reject })),
  )
  return { running, batched }
}

describe('batched attempts', () => {
  test('callers during an attempt share the next one', async () => {
    const { running, batched } = anAttempt()
    const first = batched.run()
    const second = batched.run()
    const third = batched.run()
    expect(running).toHaveLength(1)

    running[0]?.resolve(1)
    expect(await first).toBe(1)
    expect(running).toHaveLength(2)
    running[1]?.resolve(2)
    expect(await Promise.all([second, third])).toEqual([2, 2])
  })

  test('a caller right after an attempt joins those who wait for the next', async () => {
    const { running, batched } = anAttempt()
    const again = batched.run().then(() => batched.run())
    const waiting = batched.run()
    running[0]?.resolve(1)
    await new Promise(setImmediate)
    expect(running).toHaveLength(2)

    running[1]?.resolve(2)
    expect(await Promise.all([again, waiting])).toEqual([2, 2])
    expect(running).toHaveLength(2)
  })

  test('is idle once the last attempt that was asked for has ended', async () => {
    const { running, batched } = anAttempt()
    const first = batched.run()
    const second = batched.run()
    let isIdle = false
    const idle = batched.idle().then(() => {
      isIdle = true
    })
    running[0]?.resolve(1)
    await first
    expect(isIdle).toBe(false)
    running[1]?.resolve(2)
    await Promise.all([second, idle])
    expect(running).toHaveLength(2)
  })

  test('a failed attempt fails only the callers before it', async () => {
    const { running, batched } = anAttempt()
    const first = batched.run()
    const second = batched.run()
    running[0]?.reject(new Error('no'))
    await expect(first).rejects.toThrow('no')
    running[1]?.resolve(2)
    expect(await second).toBe(2)
    await batched.idle()
    void batched.run()
    expect(running).toHaveLength(3)
  })
})
