// Buttons that copy the field before them. A page without https has no other way to the clipboard.

for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    button.previousElementSibling.select();
    document.execCommand("copy");
  });
}
