"use strict";
{
  // The system's theme until the button says otherwise; in this page only, since a file has no place to keep it.
  const button = document.getElementById("theme");
  const themes = ["system", "light", "dark"];
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme ?? "system") + 1) % themes.length];
    document.documentElement.dataset.theme = next;
    document.documentElement.style.colorScheme = next === "system" ? "" : next;
    button.textContent = `Theme: ${next}`;
    document.dispatchEvent(new Event("theme"));
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => document.dispatchEvent(new Event("theme")));
}
