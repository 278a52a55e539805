export const SENT = {
  title: 'Message Sent Successfully!',
  description: "Thank you for your message. We'll get back to you soon.",
};
