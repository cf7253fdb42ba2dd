import { z } from 'zod'
import { clientDevice } from '../../users/client-devices.ts'
import { onboardingStep } from '../../users/onboarding.ts'
import { mutedUser, settingChange } from '../../users/records.ts'
import { savedSnippetRecord } from '../../users/saved-snippets.ts'
import { clientEvent } from './client-event.ts'

const setting = settingChange.shape.value
const legacySetting = {
  user: z.string().describe('Your API e-mail.'),
  setting,
  language_name: settingChange.shape.language_name,
}

/** Events about your own account. */
export const ownAccountEvents = [
  clientEvent('user_settings update', 'Your setting changed', settingChange.shape),
  clientEvent(
    'update_display_settings',
    'Your display setting changed; for clients without `user_settings_object`',
    { ...legacySetting, setting_name: z.string() },
  ),
  clientEvent(
    'update_global_notifications',
    'Your notification setting changed; for clients without `user_settings_object`',
    { ...legacySetting, notification_name: z.string() },
  ),
  clientEvent('alert_words', 'Your alert words changed', {
    alert_words: z.array(z.string()).describe('All of them.'),
  }),
  clientEvent('onboarding_steps', 'You read a one-time notice', {
    onboarding_steps: z.array(onboardingStep).describe('Those that are still unread.'),
  }),
  clientEvent('muted_users', 'The list of users that you have muted changed', {
    muted_users: z.array(mutedUser).describe('All of them.'),
  }),
  clientEvent('saved_snippets add', 'You saved a snippet', { saved_snippet: savedSnippetRecord }),
  clientEvent('saved_snippets update', 'You changed a saved snippet', { saved_snippet: savedSnippetRecord }),
  clientEvent('saved_snippets remove', 'You deleted a saved snippet', { saved_snippet_id: z.int() }),
  clientEvent('device add', 'A client of yours announced itself for encrypted notifications', {
    device_id: z.int(),
  }),
  clientEvent(
    'device update',
    'The key or the token of a client of yours changed, or its registration failed',
    {
      device_id: z.int(),
      ...clientDevice.partial().shape,
    },
  ),
  clientEvent('device remove', 'A client of yours gets no encrypted notifications any more', {
    device_id: z.int(),
  }),
  clientEvent('invites_changed', 'Invitations that you can see changed: fetch them again', {}),
]
