import type { ClientEvent } from '@tms/test-kit'

type Fields = Record<string, unknown>

/** A client event in short, as `ClientView` describes it. */
export function keyOf(event: ClientEvent): string {
  return [event.type, ...aboutOf(event).map(String)].join(' ')
}

function aboutOf(event: ClientEvent): unknown[] {
  const { op } = event
  switch (event.type) {
    case 'message':
      return [(event['message'] as Fields)['id']]
    case 'update_message':
      return [event['message_id']]
    case 'delete_message':
      return [event['message_ids']]
    case 'reaction':
      return [op, event['message_id'], event['user_id']]
    case 'update_message_flags':
      return [op, event['flag'], event['messages']]
    case 'typing':
      return [op, (event['sender'] as Fields)['user_id'], event['topic'] ?? '']
    case 'realm':
      return [op, event['property']]
    case 'user_topic':
      return [event['topic_name']]
    case 'stream':
      return [op, idsOf(event['streams'])]
    case 'subscription':
      return 'subscriptions' in event
        ? [op, idsOf(event['subscriptions'])]
        : [op, event['stream_ids'], event['user_ids']]
    case 'realm_user': {
      const { user_id, ...changed } = event['person'] as Fields
      return [user_id, Object.keys(changed)[0]]
    }
    case 'user_group':
      return [op, event['group_id'], event['user_ids']]
    default:
      return []
  }
}

const idsOf = (channels: unknown): number[] =>
  (channels as { stream_id: number }[]).map(({ stream_id }) => stream_id)
