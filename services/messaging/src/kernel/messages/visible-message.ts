import { badRequest } from '@tms/contracts'
import type { Caller, Queryable } from '@tms/service-kit'
import { isWithinLimit } from '../access/channel-limit.rules.ts'
import { canReadArchivedMessage, canSeeMessage } from '../access/message.rules.ts'
import { listMessageViews, type MessageView, type WantedTexts } from './message-view.queries.ts'

type Viewer = Pick<Caller, 'realmId' | 'userId' | 'role' | 'channelIds'>

interface Wanted {
  readonly texts?: WantedTexts
  /** For reading it alone: also if its channel is archived, unless the viewer's API token is limited to channels. */
  readonly withArchived?: boolean
}

/** A message as a user sees it; null if the user may not see it or it doesn't exist. */
export async function findVisibleMessage(
  db: Queryable,
  viewer: Viewer,
  messageId: number,
  { texts = {}, withArchived = false }: Wanted = {},
): Promise<MessageView | null> {
  const [view] = await listMessageViews(db, viewer, [messageId], texts)
  const maySee = withArchived && viewer.channelIds === undefined ? canReadArchivedMessage : canSeeMessage
  return view && maySee(viewer, view) && isWithinLimit(viewer, view.channel?.id ?? null) ? view : null
}

/** The same, but throws BAD_REQUEST. */
export async function getVisibleMessage(
  db: Queryable,
  viewer: Viewer,
  messageId: number,
  wanted: Wanted = {},
): Promise<MessageView> {
  const view = await findVisibleMessage(db, viewer, messageId, wanted)
  if (!view) throw badRequest('Invalid message(s)')
  return view
}
