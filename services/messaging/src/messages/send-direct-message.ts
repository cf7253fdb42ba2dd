import { badRequest } from '@tms/contracts'
import { inTransaction, type Pool } from '@tms/service-kit'
import { claimAttachments } from '../attachments/claim-attachments.ts'
import { findPathIds } from '../attachments/path-id.rules.ts'
import type { Directory, KnownUser } from '../directory/directory.ts'
import { parseUserReferences, type UserReferences } from './addressee.rules.ts'
import { announceMessage } from './announce-message.ts'
import { composeMessage } from './compose-message.ts'
import { normalizeContent } from './content.rules.ts'
import { createConversation, findConversation } from './conversation.queries.ts'
import { renderContent } from './render-content.ts'
import type { SendRequest } from './send-request.ts'
import { checkDirectMessage } from './sending.rules.ts'
import { storeMessage } from './store-message.queries.ts'

/** Sends to users and returns the message's ID. The checks are in the order that clients rely on. */
export async function sendDirectMessage(request: SendRequest): Promise<number> {
  const { input, caller, context, requestId } = request
  const { db, directory } = context
  const references = parseUserReferences(input.to)
  const [recipients, realm, sender] = await Promise.all([
    findRecipients(directory, caller.realmId, references),
    directory.getRealm(caller.realmId),
    directory.getUser(caller.userId),
  ])
  const content = normalizeContent(input.content)
  checkDirectMessage(realm, sender, recipients)
  const rendered = await renderContent(context, caller, content)

  const users = new Map([...recipients, sender].map((user) => [user.user_id, user]))
  const sortedIds = [...users.keys()].sort((a, b) => a - b)
  const { message, announced } = composeMessage({
    request,
    sender,
    realm,
    recipientId: await ensureConversation(db, caller.realmId, sortedIds),
    place: { users: [...users.values()] },
    topic: '',
    content,
    rendered,
    isReceivedBySender: true,
    isPublicChannel: false,
    mentionedUserIds: rendered.mentionedUserIds.filter((userId) => users.has(userId)),
    participantIds: [],
  })
  const announcement = announceMessage(announced, requestId)
  const pathIds = findPathIds(content)
  if (pathIds.length === 0) return storeMessage(db, message, announcement)
  return inTransaction(db, async (tx) => {
    const messageId = await storeMessage(tx, message, announcement)
    await claimAttachments(tx, context, { sender: caller, messageId, pathIds, requestId })
    return messageId
  })
}

/** The users that a client named. Throws BAD_REQUEST if one of them is unknown. */
async function findRecipients(
  directory: Directory,
  realmId: number,
  references: UserReferences,
): Promise<KnownUser[]> {
  if (references.ids) {
    const found = await directory.findUsersByIds(realmId, references.ids)
    return references.ids.map((id) => found.get(id) ?? unknownRecipient(`Invalid user ID ${id}`))
  }
  const found = await directory.findUsersByEmails(realmId, references.emails)
  return references.emails.map(
    (email) => found.get(email.toLowerCase()) ?? unknownRecipient(`Invalid email '${email}'`),
  )
}

function unknownRecipient(message: string): never {
  throw badRequest(message)
}

/** The place of a conversation, made with its first message. */
async function ensureConversation(
  db: Pool,
  realmId: number,
  sortedUserIds: readonly number[],
): Promise<number> {
  const place =
    (await findConversation(db, realmId, sortedUserIds)) ??
    (await createConversation(db, realmId, sortedUserIds)) ??
    // Another sender was faster; what they committed is visible to a new statement.
    (await findConversation(db, realmId, sortedUserIds))
  if (place === null) throw new Error('a conversation that was just created is gone')
  return place
}
