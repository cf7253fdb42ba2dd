/** Operations of features that no installation has, or that of the tests doesn't: they refuse whatever is sent. */
export const switchedOff: readonly string[] = [
  'createZoomCall',
  'createBigBlueButtonCall',
  'createDefaultChannelGroup',
  'updateDefaultChannelGroup',
  'removeDefaultChannelGroup',
  'updateDefaultChannelGroupChannels',
]
