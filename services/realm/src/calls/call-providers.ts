/** Server for video calls, unless the organization sets another. */
export const DEFAULT_JITSI_URL = 'https://meet.jit.si'

/** Providers of video calls, by the numbers of `video_chat_provider`. */
export const VideoCallProvider = { none: 0, jitsi: 1, bigBlueButton: 4 } as const

/** The providers that an organization may choose. */
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
