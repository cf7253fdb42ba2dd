import { notificationSounds } from '@tms/contracts'

/** Choices that clients offer, besides the settings themselves. */
export const emojisetChoices = [
  { key: 'google', text: 'Google' },
  { key: 'google-blob', text: 'Google, round' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Names as text' },
] as const

export const settingChoices = {
  emojiset_choices: emojisetChoices,
  available_notification_sounds: notificationSounds,
} as const
