export default {
  offline: "You're offline. Showing the last saved version.",
  missing: "You're offline, and this isn't saved on your device. Reconnect and try again.",
} as const;
