import { requestLink } from '@tms/contracts'
import { acceptFrames } from '../frames/accept-frames.ts'
import type { UpgradeHandler } from '../http/upgrade-handler.ts'
import type { Logger } from '../telemetry/log.ts'
import { ServedLink, type ServedLinkParts } from './served-link.ts'

/** The request links of this replica. */
export interface ServedRequestLinks {
  readonly upgrade: UpgradeHandler
  /**
   * Has gateways send further requests elsewhere. They end the links once they have all answers, for which closing the server waits;
   * requests that come until then are served.
   */
  leave(): void
}

interface ServeOptions extends ServedLinkParts {
  readonly internalPublicKey: string
  readonly log: Logger
}

/** Serves requests that gateways send over links. */
export function serveRequestLinks({ internalPublicKey, ...parts }: ServeOptions): ServedRequestLinks {
  const links = new Set<ServedLink>()
  let isLeaving = false
  return {
    upgrade: acceptFrames({
      ...requestLink,
      ...{ from: 'gateway', internalPublicKey, log: parts.log },
      isAccepting: () => !isLeaving,
      onAccepted: (socket, head) => {
        const link = new ServedLink(parts, { socket, head, onEnd: () => links.delete(link) })
        links.add(link)
      },
    }),
    leave: () => {
      isLeaving = true
      for (const link of links) link.announceLeaving()
    },
  }
}
