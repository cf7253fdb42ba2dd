import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** Takes over connections whose requests have the header `Upgrade`. */
export interface UpgradeHandler {
  /** Whether a request is one of these; the header of others is ignored. */
  isFor(request: IncomingMessage): boolean
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** Handles what any of these handle. */
export const anyUpgrade = (handlers: readonly UpgradeHandler[]): UpgradeHandler => ({
  isFor: (request) => handlers.some((handler) => handler.isFor(request)),
  accept: (request, socket, head) =>
    handlers.find((handler) => handler.isFor(request))?.accept(request, socket, head),
})
