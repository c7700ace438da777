export default {
  checkIn: 'Check in with my location',
  description: 'Your location is only compared with the place, not stored.',
  required: "The creator requires a check-in: be within {distance} of the place. Your location isn't stored.",
  requiredInArea: "A check-in is required: be {area}. Your location isn't stored.",
  checkedIn: 'Checked in',
  notNear: 'Completed without a check-in: you were too far from the place.',
  notInArea: "Completed without a check-in: you weren't {area}.",
  positionUnavailable: "Completed without a check-in: your device couldn't find its location.",
  positionDenied: "Completed without a check-in: your browser doesn't allow location access.",
  ask: 'Require a check-in',
  askDescription: 'Only people within {distance} of the place can complete it.',
} as const;
