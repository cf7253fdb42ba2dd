/** Operations of features that no installation has: they refuse whatever is sent. */
export const switchedOff: readonly string[] = [
  'createZoomCall',
  'createBigBlueButtonCall',
  'createDefaultChannelGroup',
  'updateDefaultChannelGroup',
  'removeDefaultChannelGroup',
  'updateDefaultChannelGroupChannels',
]
