import { EventEmitter } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { listenForInterruption } from './interruption.ts'

function listener() {
  const terminal = new EventEmitter()
  const interruptions: string[] = []
  const started = listenForInterruption({ on: terminal.on.bind(terminal), off: terminal.off.bind(terminal) })
  void started.interrupted.then(() => interruptions.push('interrupted'))
  void started.interruptedAgain.then(() => interruptions.push('interruptedAgain'))
  /** Sends SIGINT, and waits until all listeners have run. */
  const press = async (afterMs: number) => {
    vi.setSystemTime(Date.now() + afterMs)
    terminal.emit('SIGINT')
    await new Promise(setImmediate)
    return [...interruptions]
  }
  const listeners = () => terminal.listenerCount('SIGINT') + terminal.listenerCount('SIGTERM')
  return { ...started, listeners, press }
}

describe('an interruption', () => {
  test('may arrive twice for one key press; a later one is a second key press', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const { signal, press, stop, listeners } = listener()

    expect(signal.aborted).toBe(false)
    expect(await press(0)).toEqual(['interrupted'])
    expect(signal.aborted).toBe(true)
    expect(await press(50)).toEqual(['interrupted'])
    expect(await press(2_000)).toEqual(['interrupted', 'interruptedAgain'])
    stop()
    // A repeat of the key press would end the process while it prints.
    expect(listeners()).toBe(2)
    vi.advanceTimersByTime(1_000)
    expect(listeners()).toBe(0)
    vi.useRealTimers()
  })

  test('is not listened for once the command has ended', () => {
    const { stop, listeners } = listener()

    expect(listeners()).toBe(2)
    stop()
    expect(listeners()).toBe(0)
  })
})
