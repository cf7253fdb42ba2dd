import { runConfirms, runTransactions } from './bare-calls.ts'
import { ChannelFollowers } from './channel-followers.ts'
import { runClosedLoop, sendInRounds, sendInTurns, sendTotal } from './closed-loop.ts'
import { measureDeliveries } from './deliveries.ts'
import type { Call } from './http-call.ts'
import { type Broadcast, Listeners } from './listeners.ts'
import { PendingRequests } from './pending-requests.ts'
import { measureRegisters } from './registers.ts'
import { sendOnSchedule } from './schedule.ts'

/** The commands of a load process. Arguments and results are plain data. */
export function createCommands() {
  let listeners: Listeners | null = null
  let channel: ChannelFollowers | null = null
  let pending = new PendingRequests()
  const followed = (): Listeners => {
    if (!listeners) throw new Error('no queue was registered')
    return listeners
  }
  return {
    runClosedLoop,
    sendInRounds,
    sendInTurns,
    sendTotal,
    runTransactions,
    runConfirms,
    measureRegisters,
    sendOnSchedule,
    register: async (options: {
      ports: readonly number[]
      authorizations: readonly string[]
      concurrency: number
    }): Promise<void> => {
      listeners ??= new Listeners(options.ports)
      await listeners.register(options)
    },
    follow: (options: { by?: 'polls' | 'streams' }) => followed().follow(options),
    deleteQueues: (options: { concurrency: number }) => followed().deleteQueues(options),
    unfollow: async () => followed().unfollow(),
    retries: async () => followed().retries,
    noteArrivals: async () => followed().noteArrivals(),
    countArrivals: async () => followed().countArrivals(),
    takeArrivals: async (options: { messageIds: readonly number[] }) => followed().takeArrivals(options),
    untilReceived: (options: { count: number }) => followed().untilReceived(options),
    broadcast: (options: { call: Call; messages: number }) => followed().broadcast(options),
    measureDeliveries: (options: Parameters<typeof measureDeliveries>[1]) =>
      measureDeliveries(followed(), options),
    stopPolling: async (): Promise<void> => {
      await listeners?.stop()
      listeners = null
    },
    followChannel: async (options: { port: number; path: string; count: number }): Promise<void> => {
      channel ??= new ChannelFollowers(options)
      await channel.raiseTo(options.count)
    },
    broadcastToChannel: (options: { call: Call; messages: number }): Promise<Broadcast[]> => {
      if (!channel) throw new Error('no channel is followed')
      return channel.broadcast(options)
    },
    leaveChannel: async (): Promise<void> => {
      channel?.stop()
      channel = null
    },
    openPending: (options: { call: Call; count: number }) => pending.raiseTo(options),
    stopHolding: async (): Promise<void> => {
      await pending.stop()
      pending = new PendingRequests()
    },
    /** Seconds of CPU that this process has used. */
    cpuSeconds: async (): Promise<number> => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  }
}
export type Commands = ReturnType<typeof createCommands>
