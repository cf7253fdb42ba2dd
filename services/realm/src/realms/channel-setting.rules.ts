/** Settings that contain the ID of a private channel, or -1. */
export const PRIVATE_CHANNEL_SETTINGS = ['moderation_request_channel_id'] as const

/** Settings that contain the ID of a channel, or -1. */
export const CHANNEL_SETTINGS = [
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
  ...PRIVATE_CHANNEL_SETTINGS,
] as const
