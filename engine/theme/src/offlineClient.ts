// The client of copies that are opened from disk: with all style sheets, since no page of a copy links to its own.
import "./client";
import "./styles/sheets/landing.css";
import "./styles/sheets/reference.css";
