export default {
  unread:
    "This browser can't read that picture. Choose a JPEG, PNG or WebP of up to 1 MB, or a screenshot of it.",
  notShrunk:
    "Your browser's privacy protection blocks drawing pictures, so this one can't be made smaller here. Choose a JPEG, PNG or WebP of up to 1 MB.",
  tooNarrow:
    'That picture is too narrow. Choose one with at least 64 pixels on each side, not more than 90 times as long as it is wide.',
} as const;
