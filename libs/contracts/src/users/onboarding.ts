import { z } from 'zod'

/** Notices that clients show once, by the names that existing clients know. */
export const oneTimeNotices = [
  'visibility_policy_banner',
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
] as const
export type OneTimeNotice = (typeof oneTimeNotices)[number]

/** A step as clients see it. */
export const onboardingStep = z.object({ type: z.literal('one_time_notice'), name: z.enum(oneTimeNotices) })
export type OnboardingStep = z.output<typeof onboardingStep>
