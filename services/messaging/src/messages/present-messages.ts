import type { MessageFlag, MessageRecord } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { Directory } from '../directory/directory.ts'
import { describeMessage, type ShownUser } from './message-record.ts'
import type { MessageView } from './message-view.queries.ts'
import { flagsOf } from './message-view.rules.ts'

export type PresentedMessage = MessageRecord & { flags: MessageFlag[] }

interface Presentation {
  /** HTML rather than the raw text. */
  readonly applyMarkdown: boolean
  /** Leaves out avatars that the client computes from the e-mail. */
  readonly clientGravatar: boolean
}

/** Message records with the caller's flags, as fetching them shows. */
export async function presentMessages(
  directory: Directory,
  caller: Caller,
  views: readonly MessageView[],
  { applyMarkdown, clientGravatar }: Presentation,
): Promise<PresentedMessage[]> {
  const [realm, users] = await Promise.all([
    directory.getRealm(caller.realmId),
    directory.findUsersByIds(caller.realmId, [
      ...new Set(views.flatMap(({ senderId, userIds }) => [senderId, ...(userIds ?? [])])),
    ]),
  ])
  const userOf = (userId: number) => users.get(userId) ?? unknownUser(userId)
  return views.map((view) => {
    const { channel } = view
    const sender = userOf(view.senderId)
    const place = channel ? { channel } : { users: (view.userIds ?? []).map(userOf) }
    const record = describeMessage(view, place, sender, realm)
    return {
      id: view.id,
      ...record,
      content: (applyMarkdown ? view.html : view.raw) ?? '',
      content_type: applyMarkdown ? 'text/html' : 'text/x-markdown',
      avatar_url: clientGravatar && sender.is_gravatar ? null : record.avatar_url,
      ...(view.lastEditTimestamp === null ? {} : { last_edit_timestamp: view.lastEditTimestamp }),
      ...(view.editHistory && realm.allow_edit_history ? { edit_history: [...view.editHistory] } : {}),
      flags: flagsOf(view),
    }
  })
}

/** Stands for a user of whom neither we nor the users service knows; their messages stay readable. */
function unknownUser(userId: number): ShownUser {
  return {
    user_id: userId,
    email: `user${userId}@unknown.invalid`,
    full_name: 'Unknown user',
    avatar_url: '',
    is_gravatar: true,
  }
}
