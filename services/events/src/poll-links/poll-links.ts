import type { Duplex } from 'node:stream'
import { PollLink, type PollLinkParts } from './poll-link.ts'

/** The poll links of this replica. */
export interface PollLinks {
  /** Serves a connection of a gateway. */
  add(socket: Duplex, head: Buffer): void
  readonly isLeaving: () => boolean
  /** Has gateways hand over further polls to other replicas. */
  leave(): void
  /** Ends the links once their polls are answered and their streams have ended; call when the registry has ended all polls. */
  close(): Promise<void>
}

export function servePollLinks(parts: PollLinkParts): PollLinks {
  const links = new Set<PollLink>()
  let isLeaving = false
  return {
    add: (socket, head) => {
      const link = new PollLink(parts, { socket, head, onEnd: () => links.delete(link) })
      links.add(link)
      if (isLeaving) link.announceLeaving()
    },
    isLeaving: () => isLeaving,
    leave: () => {
      isLeaving = true
      for (const link of links) link.announceLeaving()
    },
    close: async () => {
      await Promise.all([...links].map((link) => link.close()))
    },
  }
}
