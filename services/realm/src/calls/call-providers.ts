/** Where video calls are held unless the organization says otherwise. */
export const DEFAULT_JITSI_URL = 'https://meet.jit.si'

/** What calls are held with, by the numbers of `video_chat_provider`. */
export const VideoCallProvider = { none: 0, jitsi: 1, bigBlueButton: 4 } as const

/** What an organization may choose. */
export function videoCallProvidersOf({
  hasBigBlueButton,
}: {
  hasBigBlueButton: boolean
}): Readonly<Record<string, { readonly id: number; readonly name: string }>> {
  return {
    disabled: { id: VideoCallProvider.none, name: 'None' },
    jitsi_meet: { id: VideoCallProvider.jitsi, name: 'Jitsi Meet' },
    ...(hasBigBlueButton && {
      big_blue_button: { id: VideoCallProvider.bigBlueButton, name: 'BigBlueButton' },
    }),
  }
}
