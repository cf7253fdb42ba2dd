import { badRequest } from '@tms/contracts'
import type { Caller, Queryable } from '@tms/service-kit'
import { canSeeMessage } from '../access/message.rules.ts'
import { listMessageViews, type MessageView, type WantedTexts } from './message-view.queries.ts'

type Viewer = Pick<Caller, 'realmId' | 'userId' | 'role'>

/** A message as a user sees it; null if the user may not see it or it doesn't exist. */
export async function findVisibleMessage(
  db: Queryable,
  viewer: Viewer,
  messageId: number,
  texts: WantedTexts = {},
): Promise<MessageView | null> {
  const [view] = await listMessageViews(db, viewer, [messageId], texts)
  return view && canSeeMessage(viewer, view) ? view : null
}

/** The same, but throws BAD_REQUEST. */
export async function getVisibleMessage(
  db: Queryable,
  viewer: Viewer,
  messageId: number,
  texts: WantedTexts = {},
): Promise<MessageView> {
  const view = await findVisibleMessage(db, viewer, messageId, texts)
  if (!view) throw badRequest('Invalid message(s)')
  return view
}
