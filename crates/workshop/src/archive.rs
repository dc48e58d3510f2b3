//! Archives of strangers: zip and tar.gz, within bounds, read whole or not at all.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{Cursor, Read, Write as _};
use std::path::{Component, Path};

use encoding_rs::GB18030;
use games::Language;

/// What an archive may hold.
#[derive(Debug, Clone, Copy)]
pub struct ArchiveBounds {
    /// Files.
    pub files: usize,
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Bytes of all files together.
    pub bytes: u64,
}

impl ArchiveBounds {
    /// For a program of several files.
    pub const PROJECT: Self = Self { files: 500, file_bytes: 8 << 20, bytes: 16 << 20 };
    /// For the sources of a whole course.
    pub const COURSE: Self = Self { files: 20_000, file_bytes: 2 << 20, bytes: 512 << 20 };
}

/// The longest path, in letters.
const LONGEST_PATH: usize = 300;
/// The longest name of a file or folder, in bytes: what file systems take.
const LONGEST_NAME: usize = 255;
/// Folders within folders.
const DEEPEST: usize = 12;
/// What systems and editors leave in archives: it is not looked at.
const LITTER: [&str; 6] = ["__MACOSX", ".git", ".svn", ".hg", ".DS_Store", "Thumbs.db"];

/// A file of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveFile {
    /// Its path with `/`, inside the archive.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Why an archive is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// Neither zip nor tar.gz.
    #[error("this is neither a zip nor a tar.gz archive")]
    Unknown,
    /// It cannot be read.
    #[error("the archive is damaged: {0}")]
    Damaged(String),
    /// A path that leads out of the archive, or none at all.
    #[error("{0:?} is not a path inside the archive")]
    BadPath(String),
    /// A link, a device, or a file with a password.
    #[error("{0:?} is not a plain file; links, devices and encrypted files are not taken")]
    NotAFile(String),
    /// Two files of one path, or a file where another has its folder.
    #[error("{0:?} is in the archive twice")]
    Twice(String),
    /// Too many files.
    #[error("the archive has more than {0} files")]
    TooMany(usize),
    /// Too much in it.
    #[error("{path:?} is too large: a file may have {file_bytes} bytes, all together {bytes}")]
    TooLarge {
        /// Where it became too much.
        path: String,
        /// What a file may have.
        file_bytes: u64,
        /// What all may have together.
        bytes: u64,
    },
}

impl ArchiveError {
    /// The sentence for a person.
    #[must_use]
    pub fn say(&self, language: Language) -> String {
        match (language, self) {
            (Language::En, _) => self.to_string(),
            (Language::Zh, Self::Unknown) => "不是 zip 或 tar.gz 压缩包".to_owned(),
            // The library's own words, marked as such.
            (Language::Zh, Self::Damaged(said)) => format!("压缩包已损坏（“{said}”）"),
            (Language::Zh, Self::BadPath(path)) => format!("“{path}”不是压缩包内的路径"),
            (Language::Zh, Self::NotAFile(path)) => format!("“{path}”不是普通文件；不接受链接、设备和加密文件"),
            (Language::Zh, Self::Twice(path)) => format!("压缩包中“{path}”重复"),
            (Language::Zh, Self::TooMany(most)) => format!("压缩包中的文件超过 {most} 个"),
            (Language::Zh, Self::TooLarge { path, file_bytes, bytes }) => {
                format!("“{path}”太大：单个文件最多 {file_bytes} 字节，合计最多 {bytes} 字节")
            }
        }
    }
}

/// Whether bytes begin as an archive does; no source does.
#[must_use]
pub fn is_archive(bytes: &[u8]) -> bool {
    matches!(bytes, [b'P', b'K', 3 | 5, ..] | [0x1f, 0x8b, ..])
}

/// The ending of an archive's name.
#[must_use]
pub fn archive_ending(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(b"PK") { "zip" } else { "tar.gz" }
}

/// Everything of an archive in memory, within bounds; nothing is written anywhere.
pub fn read_archive(bytes: &[u8], bounds: ArchiveBounds) -> Result<Vec<ArchiveFile>, ArchiveError> {
    let basket = match bytes {
        [b'P', b'K', ..] => read_zip(bytes, bounds)?,
        [0x1f, 0x8b, ..] => read_tar(flate2::read::GzDecoder::new(bytes), bounds)?,
        _ => return Err(ArchiveError::Unknown),
    };
    basket.finish()
}

/// Takes files one by one and keeps the bounds.
struct Basket {
    bounds: ArchiveBounds,
    files: Vec<ArchiveFile>,
    paths: HashSet<String>,
    bytes: u64,
}

impl Basket {
    fn new(bounds: ArchiveBounds) -> Self {
        Self { bounds, files: Vec::new(), paths: HashSet::new(), bytes: 0 }
    }

    fn take(&mut self, path: &str, from: &mut dyn Read) -> Result<(), ArchiveError> {
        let path = safe_path(path)?;
        if path.split('/').any(|part| LITTER.contains(&part) || part.starts_with("._")) {
            return Ok(());
        }
        if self.files.len() >= self.bounds.files {
            return Err(ArchiveError::TooMany(self.bounds.files));
        }
        if !self.paths.insert(path.to_lowercase()) {
            return Err(ArchiveError::Twice(path));
        }
        let room = self.bounds.file_bytes.min(self.bounds.bytes - self.bytes);
        let mut bytes = Vec::new();
        // What the archive says of its sizes is not believed: a bomb lies.
        from.take(room + 1).read_to_end(&mut bytes).map_err(|error| ArchiveError::Damaged(error.to_string()))?;
        if bytes.len() as u64 > room {
            let ArchiveBounds { file_bytes, bytes, .. } = self.bounds;
            return Err(ArchiveError::TooLarge { path, file_bytes, bytes });
        }
        self.bytes += bytes.len() as u64;
        self.files.push(ArchiveFile { path, bytes });
        Ok(())
    }

    /// The files, none of them where another has its folder.
    fn finish(self) -> Result<Vec<ArchiveFile>, ArchiveError> {
        for file in &self.files {
            let path = file.path.to_lowercase();
            let mut folders = path.match_indices('/').map(|(at, _)| &path[..at]);
            if folders.any(|folder| self.paths.contains(folder)) {
                return Err(ArchiveError::Twice(file.path.clone()));
            }
        }
        Ok(self.files)
    }
}

/// The path without what means nothing in it (`./`, `//`), or why it is none inside the archive.
fn safe_path(path: &str) -> Result<String, ArchiveError> {
    let bad = || ArchiveError::BadPath(path.chars().take(LONGEST_PATH).collect());
    let plain =
        path.chars().count() <= LONGEST_PATH && !path.contains(['\\', ':']) && !path.chars().any(char::is_control);
    let parts = Path::new(path).components().filter(|part| *part != Component::CurDir).map(|part| match part {
        Component::Normal(name) => name.to_str().filter(|name| name.len() <= LONGEST_NAME),
        _ => None,
    });
    let parts: Vec<&str> = parts.collect::<Option<_>>().ok_or_else(bad)?;
    if plain && (1..=DEEPEST).contains(&parts.len()) { Ok(parts.join("/")) } else { Err(bad()) }
}

/// A name as it was meant: Windows saves names in the code page of its country, which in ours is GBK.
fn decode(name: &[u8]) -> Result<String, ArchiveError> {
    if let Ok(name) = std::str::from_utf8(name) {
        return Ok(name.to_owned());
    }
    let decoded = GB18030.decode_without_bom_handling_and_without_replacement(name);
    decoded.map(Cow::into_owned).ok_or_else(|| ArchiveError::BadPath(String::from_utf8_lossy(name).into_owned()))
}

fn read_zip(bytes: &[u8], bounds: ArchiveBounds) -> Result<Basket, ArchiveError> {
    let damaged = |error: zip::result::ZipError| ArchiveError::Damaged(error.to_string());
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    // The library keeps one entry of a name and forgets the others.
    let names = zip_names(bytes, archive.central_directory_start());
    let mut known = HashSet::new();
    if let Some(name) = names.iter().find(|name| !known.insert(**name)) {
        return Err(ArchiveError::Twice(decode(name)?));
    }
    if names.len() != archive.len() {
        return Err(ArchiveError::Damaged("its directory names other files than it holds".to_owned()));
    }
    let mut basket = Basket::new(bounds);
    for index in 0..archive.len() {
        let (name, is_folder, kind, encrypted) = {
            let entry = archive.by_index_raw(index).map_err(damaged)?;
            let kind = entry.unix_mode().map_or(0, |mode| mode & 0o170_000);
            let name = decode(entry.name_raw())?;
            let is_folder = name.ends_with('/');
            (name, is_folder, kind, entry.encrypted())
        };
        match (is_folder, kind) {
            (true, 0 | 0o040_000) => drop(safe_path(&name)?),
            (false, 0 | 0o100_000) if !encrypted => {
                basket.take(&name, &mut archive.by_index(index).map_err(damaged)?)?;
            }
            _ => return Err(ArchiveError::NotAFile(name)),
        }
    }
    Ok(basket)
}

/// Every name of a zip's directory, as it is written there.
fn zip_names(bytes: &[u8], start: u64) -> Vec<&[u8]> {
    /// An entry up to its name; then come the name, more fields and a remark, whose lengths stand in it.
    const HEAD: usize = 46;
    let mut names = Vec::new();
    let mut rest = usize::try_from(start).ok().and_then(|start| bytes.get(start..)).unwrap_or_default();
    while rest.starts_with(b"PK\x01\x02") && rest.len() >= HEAD {
        let length = |at: usize| usize::from(u16::from_le_bytes([rest[at], rest[at + 1]]));
        let (name, more) = (length(28), length(30) + length(32));
        let Some(name) = rest.get(HEAD..HEAD + name) else { break };
        names.push(name);
        rest = rest.get(HEAD + name.len() + more..).unwrap_or_default();
    }
    names
}

fn read_tar(from: impl Read, bounds: ArchiveBounds) -> Result<Basket, ArchiveError> {
    let damaged = |error: std::io::Error| ArchiveError::Damaged(error.to_string());
    // Headers and padding count too: an archive of empty files is no way around the bounds.
    let mut archive = tar::Archive::new(from.take(bounds.bytes + bounds.files as u64 * 4096));
    let mut basket = Basket::new(bounds);
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        let name = decode(&entry.path_bytes())?;
        match entry.header().entry_type() {
            tar::EntryType::Regular => basket.take(&name, &mut entry)?,
            tar::EntryType::Directory if matches!(name.as_str(), "." | "./") => {}
            tar::EntryType::Directory => drop(safe_path(&name)?),
            tar::EntryType::XGlobalHeader => {}
            _ => return Err(ArchiveError::NotAFile(name)),
        }
    }
    Ok(basket)
}

/// A zip archive of these files.
pub fn write_zip(files: impl IntoIterator<Item = ArchiveFile>) -> Result<Vec<u8>, ArchiveError> {
    let damaged = |error: zip::result::ZipError| ArchiveError::Damaged(error.to_string());
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for file in files {
        archive.start_file(file.path, options).map_err(damaged)?;
        archive.write_all(&file.bytes).map_err(|error| ArchiveError::Damaged(error.to_string()))?;
    }
    Ok(archive.finish().map_err(damaged)?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: ArchiveBounds = ArchiveBounds::PROJECT;

    fn read(bytes: &[u8]) -> Result<Vec<ArchiveFile>, ArchiveError> {
        read_archive(bytes, BOUNDS)
    }

    fn file(path: &str, bytes: &[u8]) -> ArchiveFile {
        ArchiveFile { path: path.to_owned(), bytes: bytes.to_vec() }
    }

    fn tar_gz(build: impl FnOnce(&mut tar::Builder<flate2::write::GzEncoder<Vec<u8>>>)) -> Vec<u8> {
        let mut builder = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
        build(&mut builder);
        builder.into_inner().unwrap().finish().unwrap()
    }

    fn header(kind: tar::EntryType, size: u64, path: &str) -> tar::Header {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(size);
        header.set_mode(0o644);
        // The crate refuses bad paths itself; a stranger's tar does not.
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_cksum();
        header
    }

    #[test]
    fn plain_archives_come_back_whole() {
        let files = vec![file("一班/2351001-张三/v1.c", b"int main;"), file("a/b", &[7; 100_000])];
        assert_eq!(read(&write_zip(files.clone()).unwrap()).unwrap(), files);
        let bytes = tar_gz(|tar| {
            let mut folder = header(tar::EntryType::Directory, 0, "a/");
            tar.append(&folder, &b""[..]).unwrap();
            folder = header(tar::EntryType::Regular, 3, "./a/b");
            tar.append(&folder, &b"xyz"[..]).unwrap();
        });
        assert_eq!(read(&bytes).unwrap(), [file("a/b", b"xyz")]);
    }

    #[test]
    fn paths_that_lead_out_are_refused() {
        for path in ["../x", "a/../../x", "/etc/passwd", "a\\..\\x", "C:x", ""] {
            assert!(safe_path(path).is_err(), "{path}");
        }
        let (long, deep) = ("x".repeat(256), "x/".repeat(13) + "x");
        for path in [long.as_str(), &deep, "a/\u{7}", "."] {
            assert!(safe_path(path).is_err(), "{path}");
        }
        assert_eq!(safe_path("./a//b/./c").unwrap(), "a/b/c");
        for path in ["../x", "/etc/passwd"] {
            let bytes = tar_gz(|tar| tar.append(&header(tar::EntryType::Regular, 1, path), &b"x"[..]).unwrap());
            assert!(matches!(read(&bytes), Err(ArchiveError::BadPath(_))), "{path}");
            let bytes = write_zip([file(path, b"x")]).unwrap();
            assert!(matches!(read(&bytes), Err(ArchiveError::BadPath(_))), "{path}");
        }
    }

    #[test]
    fn links_and_devices_are_refused() {
        for kind in [tar::EntryType::Symlink, tar::EntryType::Link, tar::EntryType::Char, tar::EntryType::Fifo] {
            let bytes = tar_gz(|tar| tar.append(&header(kind, 0, "x"), &b""[..]).unwrap());
            assert!(matches!(read(&bytes), Err(ArchiveError::NotAFile(_))), "{kind:?}");
        }
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        archive.add_symlink("x", "/etc/passwd", zip::write::SimpleFileOptions::default()).unwrap();
        let bytes = archive.finish().unwrap().into_inner();
        assert!(matches!(read(&bytes), Err(ArchiveError::NotAFile(_))));
    }

    #[test]
    fn bombs_are_refused_before_they_are_large() {
        let bytes = write_zip([file("bomb", &vec![0; BOUNDS.file_bytes as usize + 1])]).unwrap();
        assert!(bytes.len() < 20_000, "{}", bytes.len());
        assert!(matches!(read(&bytes), Err(ArchiveError::TooLarge { .. })));
        let bytes = tar_gz(|tar| {
            let size = 64 << 20;
            tar.append(&header(tar::EntryType::Regular, size, "bomb"), std::io::repeat(0).take(size)).unwrap();
        });
        assert!(matches!(read(&bytes), Err(ArchiveError::TooLarge { .. })));
        let bytes = tar_gz(|tar| {
            for number in 0..=BOUNDS.files {
                tar.append(&header(tar::EntryType::Regular, 0, &number.to_string()), &b""[..]).unwrap();
            }
        });
        assert!(matches!(read(&bytes), Err(ArchiveError::TooMany(_))));
    }

    #[test]
    fn nonsense_and_doubles_are_refused() {
        for bytes in [&b""[..], b"PK", b"PK\x03\x04 nonsense", b"\x1f\x8b nonsense", b"#include"] {
            assert!(read(bytes).is_err(), "{bytes:?}");
        }
        let bytes = tar_gz(|tar| {
            for name in ["a", "A"] {
                tar.append(&header(tar::EntryType::Regular, 0, name), &b""[..]).unwrap();
            }
        });
        assert!(matches!(read(&bytes), Err(ArchiveError::Twice(_))));
    }

    /// Names of the same length, so that one can be written over the other where the crate writes none twice.
    fn zip_of_two(second: &str) -> Vec<u8> {
        let mut bytes = write_zip([file("main.c", b"int one;"), file("MAIN_C", b"int two;")]).unwrap();
        let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(b"MAIN_C")).collect();
        assert_eq!(places.len(), 2, "before the file and in the directory");
        for at in places {
            bytes[at..at + second.len()].copy_from_slice(second.as_bytes());
        }
        bytes
    }

    #[test]
    fn a_name_that_stands_twice_is_refused_in_zip_and_tar() {
        assert_eq!(read(&zip_of_two("MAIN_C")).unwrap().len(), 2);
        for second in ["main.c", "Main.c"] {
            assert_eq!(read(&zip_of_two(second)), Err(ArchiveError::Twice(second.to_owned())), "zip");
            let bytes = tar_gz(|tar| {
                for name in ["main.c", second] {
                    tar.append(&header(tar::EntryType::Regular, 1, name), &b"x"[..]).unwrap();
                }
            });
            assert_eq!(read(&bytes), Err(ArchiveError::Twice(second.to_owned())), "tar");
        }
    }

    #[test]
    fn a_file_cannot_be_another_s_folder() {
        for paths in [["a", "a/b"], ["a/b", "A"]] {
            let bytes = tar_gz(|tar| {
                for name in paths {
                    tar.append(&header(tar::EntryType::Regular, 0, name), &b""[..]).unwrap();
                }
            });
            assert!(matches!(read(&bytes), Err(ArchiveError::Twice(_))), "{paths:?}");
        }
    }

    /// A zip as Windows makes it: names in GBK, and no mark that says so.
    #[test]
    fn names_of_windows_are_read() {
        let mut bytes = write_zip([file("aa/bbbb.c", b"int main;")]).unwrap();
        let gbk = GB18030.encode("棋/棋手.c").0.into_owned();
        assert_eq!(gbk.len(), "aa/bbbb.c".len());
        let places: Vec<usize> =
            (0..bytes.len() - gbk.len()).filter(|&at| bytes[at..].starts_with(b"aa/bbbb.c")).collect();
        assert_eq!(places.len(), 2, "before the file and in the directory");
        for at in places {
            bytes[at..at + gbk.len()].copy_from_slice(&gbk);
        }
        assert_eq!(read(&bytes).unwrap(), [file("棋/棋手.c", b"int main;")]);
        let bytes = tar_gz(|tar| {
            let mut head = header(tar::EntryType::Regular, 1, "");
            head.as_old_mut().name[..gbk.len()].copy_from_slice(&gbk);
            head.set_cksum();
            tar.append(&head, &b"x"[..]).unwrap();
        });
        assert_eq!(read(&bytes).unwrap(), [file("棋/棋手.c", b"x")]);
    }

    #[test]
    fn what_systems_leave_behind_is_not_looked_at() {
        let files = ["__MACOSX/._main.c", "a/.DS_Store", ".git/objects/12", "a/._main.c", "a/main.c"];
        let bytes = write_zip(files.map(|path| file(path, b"x"))).unwrap();
        assert_eq!(read(&bytes).unwrap(), [file("a/main.c", b"x")]);
    }

    #[test]
    fn every_damaged_archive_is_refused_or_read_and_never_more() {
        let whole = write_zip([file("a.c", &[7; 3000]), file("b.c", b"x")]).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0xff;
            let _ = read(&bytes);
            let _ = read(&whole[..at]);
        }
    }
}
